"""The words that the controlled rewriter knows: verbs with their prepositions, abbreviations, acronyms, topics.

Here: word lists and looking words up in them. Not here: inflection (depcodex_assets.rewriters.inflection), sentences
(depcodex_assets.rewriters.controlled). A word of a doc that is in none of the lists never crosses.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.resources

# Verbs of names, by the preposition that ties their object to its owner: "removes the key from a mapping".
_VERBS_BY_PREPOSITION = {
    "of": """abort activate adjust advance aggregate alter analyse analyze annotate approximate assess begin calculate change
        check cleanup clear close compute confirm count customize deactivate debug decode decrement describe detect
        determine disable display dispose edit emit enable encode enumerate estimate evaluate examine execute expand explain
        explode explore expose finalize find finish fix flatten flip flush force format freeze get give guess halt hide
        highlight identify increment indicate infer inspect interpret interrupt invalidate invert invoke iterate kill launch
        limit list locate lock log lower maximize measure minimize monitor name normalise normalize notify obtain open
        optimise optimize override parse pause perform predict preview print process profile protect prune query quote
        raise randomize read reboot rebuild recalculate reconfigure record reduce redraw refine refresh reinitialize reload
        rename render reopen repair report represent request rescale reset reshape resize resolve restart restore
        restrict resume retry return reverse revert review revoke rewrite roll rotate round run sanitize scale scan score
        set shorten show shrink shuffle shutdown simplify simulate size skip sleep slice smooth solve sort specify squeeze start
        step stop strip suggest summarize suppress suspend swap sync synchronize tell terminate test tick toggle tokenize
        touch trace track train transform translate transpose traverse trigger trim truncate try tune turn unescape
        unfreeze unlock unwrap update upgrade downgrade use validate verify view visit vectorize wake walk warn watch widen zero
        acknowledge await wait canonicalize compact contain declare define deprecate discover dump echo ensure escape export
        fail generalize handle introspect lint measure mutate navigate observe own poll position prepare prevent publish
        replay reorder schedule scroll shift sign spin stabilize stage stringify style tail tear throttle time unquote
        yield zip compile complete complain clip cast crop cycle draw fill fire focus frame hash hover index indent
        intern interpolate iterate label lay locate loop mask mock navigate nest pad paint patch peek pick pin plan plot
        pool press prompt quantize rank rate refer relax render repeat respond retire reuse sample seal select serialise
        serialize deserialize shape sharpen spawn spell sum tab tabulate tap trap type undo redo vary weigh dispatch
        expect assert require coerce rerank migrate preprocess postprocess bump approximate autoscale scaffold drain integrate modify destroy zoom blit switch reindex expunge regenerate increase materialize streamline uncheck coalesce reconstruct rechunk resample bisect claim pivot unpivot detrend enforce collate remap stamp prewarm unstack melt unnest upsample downsample interpolate ask mark ignore exist operate undeclare symlink chunk obfuscate augment finetune promote demote demand imply emulate cancel commit rollback save""",
    "to": """accept add adhere advertise allocate append apply assign attach bind broadcast connect contribute deliver deny
        forward grant hand insert link map move post prepend propagate pull push put redirect reject relay send
        stream submit subscribe supply transfer write reply route snap upload copy""",
    "from": """acquire build clean collect construct create cut deduct delete derive detach disconnect discard download
        drag drop eject eliminate erase evict exclude extract fetch filter fork gather grab import instantiate isolate load
        lookup make omit parse pop produce purge receive recover release remove retrieve scrape split subtract take
        unbind uninstall unlink unload unregister unset unsubscribe unpack prune pluck consume copy clone exit escape
        capture mirror read shed skim steal derive dequeue deregister deduplicate generate""",
    "in": """arrange cache hold include install keep look match place register remember replace search seek store
        substitute embed enclose enter enqueue enroll find inject nest participate persist preserve put""",
    "with": """align associate authenticate authorize blend combine compare compose compress concat concatenate configure
        convert cooperate correlate decorate decrypt encrypt decompress deal equip exchange extend fit fuse handshake
        initialise initialize intersect join login merge mix multiply negotiate overlap populate replace seed share
        setup sign support wrap work adapt divide augment""",
    "for": """account allow arrange calibrate cater choose compensate configure cover design decide delegate dispatch
        estimate listen poll provide reserve schedule serve trigger wait search""",
}
PREPOSITIONS = frozenset(
    ["about", "across", "after", "against", "along", "among", "around", "as", "at", "before", "between", "by", "during", "for", "from", "in", "inside", "into", "of", "off", "on", "onto", "out", "over", "per", "since", "through", "to", "toward", "under", "until", "up", "via", "with", "within", "without"]
)
CONJUNCTIONS = frozenset({"or", "and"})
# Words at the end of a name that say how; they close the sentence's first part.
ADVERBS = {
    "async": "asynchronously", "sync": "synchronously", "once": "once", "safe": "safely", "safely": "safely",
    "nowait": "without waiting", "inplace": "in place", "recursive": "recursively", "recursively": "recursively",
    "lazy": "lazily", "lazily": "lazily", "forever": "without end", "again": "again", "now": "at once",
    "immediately": "at once", "later": "later", "soon": "soon", "strict": "strictly", "quietly": "quietly",
    "together": "together", "automatically": "automatically", "manually": "manually", "back": "back", "randomly": "at random",
    "locally": "locally", "globally": "globally", "globally": "globally", "blocking": "while blocking",
    "threadsafe": "safely between threads", "concurrently": "concurrently", "sequentially": "one after another",
}  # fmt: skip
# Words of names that stand before a noun and never carry a phrase alone.
DETERMINERS = frozenset(["all", "any", "each", "every", "many", "multiple", "other", "some", "several", "one", "both", "no"])
ADJECTIVES = frozenset(
    ["abstract", "active", "additional", "allowed", "alternative", "anonymous", "async", "atomic", "automatic", "available", "base", "basic", "binary", "bound", "broken", "bulk", "cached", "callable", "canonical", "closed", "common", "compatible", "complete", "complex", "compound", "concrete", "contiguous", "correct", "current", "custom", "dead", "deep", "default", "deprecated", "direct", "disabled", "discrete", "distinct", "dynamic", "eager", "empty", "enabled", "equal", "exact", "existing", "expired", "explicit", "external", "extra", "failed", "fast", "final", "finite", "first", "fixed", "flat", "full", "generic", "global", "greater", "hard", "hidden", "hot", "idle", "immutable", "implicit", "infinite", "inner", "inplace", "installed", "invalid", "last", "lazy", "left", "less", "literal", "local", "long", "lower", "main", "mandatory", "manual", "maximal", "minimal", "missing", "mutable", "named", "native", "negative", "new", "next", "nullable", "numeric", "numerical", "old", "open", "optional", "ordered", "original", "outer", "parallel", "partial", "pending", "persistent", "physical", "plain", "positive", "previous", "primary", "private", "public", "quick", "random", "raw", "readable", "ready", "real", "recursive", "relative", "remote", "required", "reverse", "right", "safe", "same", "secure", "sequential", "shared", "short", "significant", "similar", "simple", "single", "slow", "small", "soft", "sorted", "sparse", "special", "stable", "stale", "static", "strict", "symbolic", "temporary", "top", "total", "transparent", "true", "trusted", "typed", "unary", "unique", "unknown", "unordered", "unsafe", "unsupported", "unused", "upper", "valid", "variadic", "verbose", "virtual", "visible", "weak", "whole", "wide", "writable", "writeable"]
)
ABBREVIATIONS = {
    "abbr": "abbreviation", "abs": "absolute value", "acc": "accuracy", "addr": "address", "agg": "aggregate",
    "alloc": "allocation", "alt": "alternative", "app": "application", "arg": "argument", "args": "arguments",
    "arr": "array", "attr": "attribute", "attrs": "attributes", "auth": "authentication", "avg": "average",
    "bbox": "bounding box", "bg": "background", "bitwise": "bitwise", "bool": "boolean", "buf": "buffer",
    "calc": "calculate", "cb": "callback", "cert": "certificate", "certs": "certificates", "cfg": "configuration",
    "char": "character", "chars": "characters", "chk": "check", "cls": "class", "clf": "classifier", "cmap": "colour map",
    "cmd": "command", "cmp": "compare", "cnt": "count", "coef": "coefficient", "coeff": "coefficient",
    "coeffs": "coefficients", "col": "column", "cols": "columns", "comp": "component", "concat": "concatenate",
    "cond": "condition", "conf": "configuration", "config": "configuration", "configs": "configurations", "conn": "connection",
    "const": "constant", "consts": "constants", "conv": "convolution", "coord": "coordinate", "coords": "coordinates",
    "coro": "coroutine", "corr": "correlation", "cov": "covariance", "ctor": "constructor", "ctx": "context",
    "cum": "cumulative", "cumsum": "cumulative sum", "cumprod": "cumulative product", "curr": "current", "db": "database",
    "decl": "declaration", "decls": "declarations", "defn": "definition", "del": "delete", "dep": "dependency",
    "deps": "dependencies", "desc": "description", "dest": "destination", "det": "determinant", "df": "data frame",
    "dataframe": "data frame", "diff": "difference", "dim": "dimension", "dims": "dimensions", "dir": "directory",
    "dirs": "directories", "dirname": "directory name", "dist": "distribution", "doc": "document", "docs": "documents",
    "dst": "destination", "dtype": "data type", "dtypes": "data types", "elem": "element", "elems": "elements",
    "enc": "encoding", "env": "environment", "envs": "environments", "eq": "equality", "err": "error", "errs": "errors",
    "eval": "evaluate", "exc": "exception", "exec": "execute", "exp": "exponential", "expr": "expression",
    "exprs": "expressions", "ext": "extension", "exts": "extensions", "extern": "external", "fd": "file descriptor",
    "fdopen": "open", "fg": "foreground", "fig": "figure", "filename": "file name", "filenames": "file names",
    "filepath": "file path", "fmt": "format", "fn": "function", "fname": "file name", "fp": "file", "freq": "frequency",
    "fs": "file system", "func": "function", "funcs": "functions", "fut": "future", "gen": "generator", "geo": "geographic",
    "getattr": "get an attribute", "grad": "gradient", "grp": "group", "hdr": "header", "hist": "histogram", "hr": "hour",
    "idx": "index", "idxs": "indices", "iface": "interface", "img": "image", "imgs": "images", "impl": "implementation",
    "inc": "increment", "ind": "index", "indep": "independent", "info": "information", "init": "initialize",
    "inst": "instance", "instrs": "operations", "int": "integer", "inv": "inverse", "iter": "iterator", "iters": "iterations",
    "kw": "keyword", "kwarg": "keyword argument", "kwargs": "keyword arguments", "kws": "keywords", "lang": "language",
    "lbl": "label", "len": "length", "lhs": "left-hand side", "lib": "library", "libs": "libraries", "loc": "location",
    "locs": "locations", "ls": "list", "lst": "list", "max": "maximum", "mem": "memory", "mgr": "manager", "min": "minimum",
    "misc": "miscellaneous", "mkdir": "create a directory", "mod": "module", "msec": "millisecond", "msg": "message",
    "msgs": "messages", "mul": "multiply", "mult": "multiply", "mut": "mutable", "nb": "number", "ndarray": "array",
    "ndim": "number of dimensions", "neg": "negative", "nnz": "number of non-zero values", "norm": "norm", "nrows": "number of rows",
    "ncols": "number of columns", "ns": "namespace", "num": "number", "nums": "numbers", "obj": "object", "objs": "objects",
    "op": "operation", "ops": "operations", "opt": "option", "opts": "options", "orig": "original", "param": "parameter",
    "params": "parameters", "parens": "parentheses", "pct": "percentage", "perc": "percentage", "perm": "permutation",
    "pkg": "package", "pkgs": "packages", "pos": "position", "pred": "prediction", "prev": "previous", "proc": "process",
    "procs": "processes", "prod": "product", "prog": "program", "prop": "property", "props": "properties",
    "proto": "protocol", "ptr": "pointer", "pwd": "working directory", "qs": "query string", "qty": "quantity", "rand": "random",
    "rc": "return code", "rec": "record", "recv": "receive", "ref": "reference", "refs": "references", "reg": "register",
    "regex": "regular expression", "rel": "relative", "rename": "rename", "repo": "repository", "repos": "repositories",
    "repr": "representation", "req": "request", "reqs": "requests", "res": "result", "resp": "response", "ret": "return value",
    "rev": "revision", "rhs": "right-hand side", "rm": "remove", "rmdir": "remove a directory", "rng": "random generator",
    "rval": "return value", "sel": "selection", "sep": "separator", "seq": "sequence", "seqs": "sequences", "sess": "session",
    "sig": "signature", "sigs": "signatures", "sock": "socket", "spec": "specification", "specs": "specifications",
    "sqrt": "square root", "src": "source", "srv": "server", "stat": "statistic", "stats": "statistics", "std": "standard deviation",
    "stderr": "standard error", "stdin": "standard input", "stdout": "standard output", "stmt": "statement",
    "stmts": "statements", "str": "string", "strs": "strings", "struct": "structure", "sub": "subtract", "subproc": "subprocess",
    "sym": "symbol", "syms": "symbols", "sys": "system", "tbl": "table", "temp": "temporary", "tmp": "temporary",
    "tok": "token", "toks": "tokens", "tot": "total", "tup": "tuple", "txn": "transaction", "txt": "text", "typ": "type",
    "tz": "time zone", "util": "utility", "utils": "utilities", "val": "value", "vals": "values", "var": "variable",
    "vars": "variables", "vec": "vector", "vecs": "vectors", "ver": "version", "warn": "warn", "ws": "whitespace",
    "xform": "transformation", "timedelta": "time difference", "datetime": "date and time", "namedtuple": "named tuple",
    "hostname": "host name", "username": "user name", "timestamp": "timestamp", "lineno": "line number",
    "metadata": "metadata", "classname": "class name", "argv": "command-line arguments", "setdefault": "set a default",
    "aclose": "close", "aenter": "enter", "aexit": "exit", "startswith": "start with", "endswith": "end with",
    "writelines": "write lines", "readlines": "read lines", "readline": "read line", "fillna": "fill missing values",
    "dropna": "drop missing values", "isna": "is missing", "isnull": "is null", "notna": "is not missing", "groupby": "group by",
    "orderby": "order by", "nlargest": "select largest", "nsmallest": "select smallest", "argmax": "index of the maximum",
    "argmin": "index of the minimum", "argsort": "sorting indices", "linspace": "evenly spaced values", "arange": "evenly spaced range",
    "lstsq": "least-squares solution", "matmul": "matrix product", "einsum": "Einstein sum", "fft": "Fourier transform",
    "ifft": "inverse Fourier transform", "eig": "eigenvalues", "eigvals": "eigenvalues", "svd": "singular value decomposition",
    "qr": "QR factorization", "lu": "LU factorization", "asarray": "convert to array", "tolist": "convert to list",
    "todict": "convert to dictionary", "tobytes": "convert to bytes", "tostring": "convert to string", "fetchone": "fetch one",
    "fetchall": "fetch all", "fetchmany": "fetch many", "executemany": "execute many", "executescript": "execute script",
    "onclick": "on click", "savefig": "save figure", "imshow": "show image", "imread": "read image", "imsave": "save image",
    "subplot": "subplot", "xlabel": "x-axis label", "ylabel": "y-axis label", "xlim": "x-axis limits", "ylim": "y-axis limits",
    "xticks": "x-axis ticks", "yticks": "y-axis ticks", "vstack": "stack vertically", "hstack": "stack horizontally",
    "rsplit": "split from the right", "lstrip": "strip on the left", "rstrip": "strip on the right",
    "dict": "dictionary", "dicts": "dictionaries", "bool_": "boolean",
}  # fmt: skip
_ACRONYMS = {
    each.lower(): each
    for each in ["ABI", "ACL", "AES", "API", "APIs", "ASCII", "ASGI", "AST", "ASTs", "AVX", "AWS", "BFS", "BIC", "BLAS", "BOM", "CA", "CDF", "CI", "CLI", "CORS", "CPU", "CRC", "CRL", "CSR", "CSRF", "CSS", "CSV", "CUDA", "DAG", "DDL", "DFS", "DNS", "DOM", "DSA", "DSL", "DTD", "EC", "ECDSA", "EOF", "ETA", "FIFO", "FTP", "GCP", "GCS", "GIF", "GIL", "GMT", "GPU", "GraphQL", "GRPC", "GUI", "GUID", "GZIP", "HDF5", "HMAC", "HTML", "HTTP", "HTTP2", "HTTPS", "IDNA", "IIR", "FIR", "IO", "IP", "IPC", "IPv4", "IPv6", "IRI", "ISO", "JIT", "JPEG", "JSON", "JWK", "JWKS", "JWT", "KNN", "LAPACK", "LDAP", "LIFO", "LLM", "LRU", "LSTM", "MD5", "MIME", "MSE", "NaN", "NaT", "NFC", "NTP", "OAuth", "OAuth2", "OCSP", "OLS", "ONNX", "ORM", "OS", "OTP", "PCA", "PDF", "PEM", "PGP", "PID", "PKCE", "PNG", "POSIX", "PRNG", "PyPI", "QR", "RAM", "REPL", "RBF", "REST", "RFC", "RGB", "RGBA", "RMSE", "RNN", "ROC", "RPC", "RSA", "RSS", "RST", "S3", "SAML", "SASL", "SCSS", "SDK", "SHA1", "SHA256", "SHA512", "SIMD", "SMTP", "SNI", "SOCKS", "SOAP", "SQL", "SSA", "SSE", "SSH", "SSL", "SVD", "SVG", "SVM", "TCP", "TLS", "TOML", "TOTP", "TSV", "TTL", "TTY", "UDP", "UI", "UID", "UML", "URI", "URIs", "URL", "URLs", "UTC", "UTF", "UTF8", "UUID", "UUIDs", "VCS", "VM", "WKT", "WSGI", "XHR", "XLS", "XLSX", "XML", "XPath", "XSRF", "XSS", "YAML", "ZIP", "ZStd"]
} | {"urls": "URLs", "ids": "identifiers", "id": "identifier", "io": "I/O", "utf8": "UTF-8", "apis": "APIs"}  # fmt: skip
# What the first word of a doc says a declaration does, where its name has no verb; nothing here can do harm.
SAFE_DOC_VERBS = frozenset(
    ["adapt", "add", "adjust", "aggregate", "append", "apply", "approximate", "bind", "build", "calculate", "cast", "check", "choose", "clip", "collect", "combine", "compare", "compile", "compute", "construct", "convert", "copy", "count", "create", "decode", "decorate", "define", "describe", "detect", "determine", "display", "draw", "emit", "encode", "estimate", "evaluate", "expand", "extract", "factor", "find", "fit", "flatten", "format", "generate", "group", "handle", "hold", "indicate", "infer", "insert", "interpolate", "iterate", "join", "list", "locate", "map", "mark", "match", "measure", "merge", "normalize", "obtain", "pack", "pad", "parse", "perform", "pick", "plot", "predict", "prepare", "produce", "provide", "raise", "read", "reduce", "register", "render", "repeat", "replace", "represent", "resample", "reshape", "resize", "resolve", "retrieve", "return", "reverse", "rotate", "round", "sample", "scale", "select", "serialize", "set", "shift", "show", "simulate", "slice", "solve", "sort", "specify", "split", "stack", "store", "sum", "test", "tokenize", "track", "transform", "translate", "transpose", "traverse", "truncate", "update", "validate", "verify", "wait", "wrap", "yield", "gather", "get"]
)
# How classes are described by their last word: the sentence's start, and whether the word is then left out.
CLASS_ROLES = {
    "error": "Signals", "exception": "Signals", "warning": "Warns of", "mixin": "Adds", "config": "Holds the settings of",
    "configuration": "Holds the settings of", "settings": "Holds the settings of", "options": "Holds the options of",
    "params": "Holds the parameters of", "parameters": "Holds the parameters of", "kwargs": "Holds the keyword arguments of",
    "factory": "Creates", "protocol": "Describes the interface of", "interface": "Describes the interface of",
    "callback": "Reacts to", "test": "Exercises", "tests": "Exercises",
}  # fmt: skip
# A class that is named after what it does: its last word, the verb.
AGENT_NOUNS = {
    "adapter": "adapt", "aggregator": "aggregate", "analyzer": "analyze", "builder": "build", "cleaner": "clean",
    "collector": "collect", "comparator": "compare", "compiler": "compile", "compressor": "compress", "converter": "convert",
    "decoder": "decode", "decompressor": "decompress", "decorator": "decorate", "detector": "detect", "dispatcher": "dispatch",
    "downloader": "download", "dumper": "dump", "editor": "edit", "emitter": "emit", "encoder": "encode",
    "evaluator": "evaluate", "exporter": "export", "extractor": "extract", "fetcher": "fetch", "finder": "find",
    "formatter": "format", "generator": "generate", "handler": "handle", "highlighter": "highlight", "importer": "import",
    "inspector": "inspect", "interpolator": "interpolate", "lexer": "tokenize", "listener": "listen for", "loader": "load",
    "locator": "locate", "logger": "log", "manager": "manage", "matcher": "match", "monitor": "monitor",
    "normalizer": "normalize", "observer": "observe", "optimizer": "optimize", "parser": "parse", "planner": "plan",
    "printer": "print", "processor": "process", "producer": "produce", "provider": "provide", "publisher": "publish",
    "reader": "read", "receiver": "receive", "recorder": "record", "renderer": "render", "reporter": "report",
    "resolver": "resolve", "router": "route", "runner": "run", "sampler": "sample", "scanner": "scan",
    "scheduler": "schedule", "selector": "select", "sender": "send", "serializer": "serialize", "solver": "solve",
    "sorter": "sort", "splitter": "split", "tokenizer": "tokenize", "tracer": "trace", "tracker": "track",
    "transformer": "transform", "translator": "translate", "updater": "update", "uploader": "upload", "validator": "validate",
    "verifier": "verify", "visitor": "visit", "watcher": "watch", "wrapper": "wrap", "writer": "write", "regressor": "predict by regression on",
    "vectorizer": "vectorize", "scaler": "scale", "encoder_": "encode", "imputer": "fill missing values in",
}  # fmt: skip


@functools.cache
def verbs() -> dict[str, str]:
    """Each verb of names and the preposition before its owner; where several are listed the first stands."""
    found: dict[str, str] = {}
    for preposition in ("to", "from", "in", "with", "for", "of"):
        for verb in _VERBS_BY_PREPOSITION[preposition].split():
            found.setdefault(verb, preposition)
    return found


@functools.cache
def topics() -> dict[str, float]:
    """Nouns that may stand for what a doc is about, with their inverse document frequency (natural logarithm)."""
    text = importlib.resources.files("depcodex_assets.rewriters").joinpath("data/topics.txt").read_text("utf-8")
    rows = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return {word: float(frequency) for word, frequency in rows}


def expanded(word: str) -> str:
    """A word of a name as a person writes it: abbreviations written out, acronyms in capitals.

    >>> expanded("ctx"), expanded("url"), expanded("session")
    ('context', 'URL', 'session')
    """
    return ABBREVIATIONS.get(word) or _ACRONYMS.get(word, word)


@functools.cache
def digest() -> str:
    """sha256 hex of every list here: what tells one vocabulary from another."""
    parts = [_VERBS_BY_PREPOSITION, sorted(PREPOSITIONS), ADVERBS, sorted(ADJECTIVES), ABBREVIATIONS, _ACRONYMS]
    parts += [sorted(SAFE_DOC_VERBS), CLASS_ROLES, AGENT_NOUNS, topics(), sorted(DETERMINERS)]
    return hashlib.sha256(repr(parts).encode()).hexdigest()
