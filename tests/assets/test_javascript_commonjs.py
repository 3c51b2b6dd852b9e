"""What a file in CommonJS exports, as people and as compilers write it."""

from __future__ import annotations

import pytest

from depcodex.schemas import REEXPORT_KIND
from javascript_sources import declared, shown


def test_an_object_of_exports_gives_each_of_its_keys() -> None:
    rows = declared(
        {
            "index.js": """
/** Adds. */
function add(a, b = 1) { return a + b }
const LIMIT = 5;
module.exports = {
  add,
  LIMIT,
  /** Cuts. */
  cut: function (text) { return text },
  grow(size) { return size },
  'dash-ed': 1,
  arrow: (x) => x,
  ...require('./more'),
};
""",
            "more.js": "/** More. */\nexports.more = function more() {};",
        }
    )
    assert shown(rows) == {
        "alpha.add": "function",
        "alpha.LIMIT": "constant",
        "alpha.cut": "function",
        "alpha.grow": "function",
        "alpha.dash-ed": "constant",
        "alpha.arrow": "function",
        "alpha.more": "function",
    }
    assert rows["alpha.add"].doc == "Adds."
    assert rows["alpha.add"].signatures == ("function add(a, b = 1)",)
    assert rows["alpha.cut"].doc == "Cuts."
    assert rows["alpha.more"].path == "more.js"


def test_one_function_is_the_module_and_carries_the_rest() -> None:
    rows = declared(
        {
            "index.js": "'use strict'\nmodule.exports = require('./lib/app')",
            "lib/app.js": """
var parser = require('body-parser')
var proto = require('./proto');
exports = module.exports = createApp;
/**
 * Creates it.
 * @param {string} name which
 */
function createApp(name) {}
exports.application = proto;
exports.json = parser.json
/** A version. */
exports.version = '1';
createApp.helper = function (x) {};
""",
            "lib/proto.js": """
var app = exports = module.exports = {};
/** Uses. */
app.use = function use(fn) {};
app.hidden_ = undefined;
""",
        }
    )
    assert rows["alpha.default"].doc == "Creates it.\n@param {string} name which"
    assert rows["alpha.default"].name == "createApp"
    assert "alpha.createApp" in rows["alpha.default"].aliases
    assert rows["alpha.default.helper"].signatures == ("createApp.helper = function (x)",)
    assert rows["alpha.json"].reexport_target == "body-parser.json"
    assert rows["alpha.json"].kind == REEXPORT_KIND
    assert rows["alpha.version"].doc == "A version."
    assert rows["alpha.application.use"].doc == "Uses."


def test_classes_and_prototypes_have_their_members() -> None:
    rows = declared(
        {
            "index.js": """
/** A queue. */
class Queue extends Base {
  /** Adds. */
  push(item) {}
  static of() {}
  #secret() {}
}
function Old() {}
/** Runs. */
Old.prototype.run = function (fast) {};
/** @private */
Old.prototype.inner = function () {};
Old.LIMIT = 3;
exports.Queue = Queue;
exports.Old = Old;
"""
        }
    )
    assert shown(rows) == {
        "alpha.Queue": "class",
        "alpha.Queue.push": "method",
        "alpha.Queue.of": "method",
        "alpha.Old": "function",
        "alpha.Old.run": "method",
    }
    assert rows["alpha.Old.run"].signatures == ("Old.prototype.run = function (fast)",)
    assert rows["alpha.Queue"].bases == ("Base",)


@pytest.mark.parametrize(
    "source",
    [
        # TypeScript
        """"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.b = exports.a = void 0;
var x_1 = require("./x");
Object.defineProperty(exports, "a", { enumerable: true, get: function () { return x_1.a; } });
__exportStar(require("./y"), exports);
""",
        """var __exportStar = (this && this.__exportStar) || function () {};
const tslib_1 = require("tslib");
var x_1 = tslib_1.__importStar(require("./x"));
tslib_1.__exportStar(require("./y"), exports);
exports.a = x_1.a;
""",
        # Babel
        """Object.defineProperty(exports, "__esModule", { value: true });
var _x = require("./x");
Object.defineProperty(exports, "a", { enumerable: true, get: function () { return _x.a; } });
var _y = require("./y");
Object.keys(_y).forEach(function (key) { if (key === "default") return; exports[key] = _y[key]; });
""",
        # esbuild
        """var src_exports = {};
__export(src_exports, { a: () => import_x.a });
module.exports = __toCommonJS(src_exports);
var import_x = require("./x");
__reExport(src_exports, require("./y"), module.exports);
0 && (module.exports = { a, ...require("./y") });
""",
        # People
        """const { a } = require('./x');
module.exports = { a, ...require('./y') };
""",
        """if (process.env.NODE_ENV === 'production') { module.exports = require('./min'); }
else { module.exports = require('./dev'); }
""",
    ],
)
def test_what_compilers_emit_leads_to_the_declarations(source: str) -> None:
    rows = declared(
        {
            "index.js": source,
            "x.js": "/** A. */\nexports.a = function a() {};",
            "y.js": "/** B. */\nexports.b = function b() {};",
            "dev.js": "exports.a = require('./x').a; exports.b = require('./y').b;",
            "min.js": "exports.a = 1",
        }
    )
    assert (rows["alpha.a"].doc, rows["alpha.b"].doc) == ("A.", "B.")


def test_exports_inside_of_called_functions_are_read() -> None:
    rows = declared({"index.js": "(function () { /** A. */ exports.a = function () {}; })();"})
    assert rows["alpha.a"].doc == "A."


def test_es_modules_in_javascript_are_read_as_such() -> None:
    rows = declared(
        {
            "index.mjs": "import { inner as outer } from './inner.mjs';\nexport { outer };\n"
            "/** C. */\nexport class C { m() {} }",
            "inner.mjs": "/** I. */ export const inner = async ({ a }, ...rest) => {};",
        },
        exports="./index.mjs",
    )
    assert shown(rows) == {"alpha.outer": "function", "alpha.C": "class", "alpha.C.m": "method"}
    assert rows["alpha.outer"].doc == "I."


@pytest.mark.parametrize(
    "source",
    [
        "module.exports = module.exports;",
        "exports = module.exports = exports;",
        "module.exports = require('./index');",
        "exports.a = exports.b; exports.b = exports.a;",
        "module.exports = { ...require('./index') };",
        "a = " * 400 + "module.exports = 1;",
        "Object.defineProperty(exports);",
        "module.exports = class {};",
        "module.exports = () => {};",
        "module.exports = new Thing();",
    ],
)
def test_odd_exports_do_no_harm(source: str) -> None:
    assert "alpha" in declared({"index.js": source})
