// What the TypeScript compiler finds public and documented in installed packages; an oracle that shares no code with ours.
//
// node public_docs.js FOLDER PACKAGE…   FOLDER holds a node_modules with the packages and typescript.
// Writes one JSON object a line: {package, names, docs, kind, place}. Declarations of other packages are left out.
"use strict";
const fs = require("fs");
const path = require("path");
const folder = path.resolve(process.argv[2]);
const ts = require(path.join(folder, "node_modules", "typescript"));

const HIDDEN = new Set(["internal", "private", "hidden", "ignore"]);
const MAX_DEPTH = 5;

function specifierOf(name) {
  if (!name.startsWith("@types/")) return name;
  const [scope, rest] = name.slice("@types/".length).split("__");
  return rest ? `@${scope}/${rest}` : scope;
}

// The specifiers that package.json names one by one; patterns are expanded by nobody here.
function specifiersOf(name) {
  const root = path.join(folder, "node_modules", name);
  const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const base = specifierOf(name);
  const found = [base];
  const exported = manifest.exports;
  if (exported && typeof exported === "object") {
    for (const key of Object.keys(exported)) {
      if (key.startsWith("./") && !key.includes("*") && exported[key] !== null && key !== "./package.json") {
        found.push(base + key.slice(1));
      }
    }
  } else if (!exported) {
    for (const file of fs.readdirSync(root)) {
      const stem = /^([\w-]+)\.d\.ts$/.exec(file);
      if (stem && stem[1] !== "index") found.push(`${base}/${stem[1]}`);
    }
  }
  return found;
}

function run(name) {
  const options = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ESNext,
    allowJs: true,
    skipLibCheck: true,
    noEmit: true,
    types: name.startsWith("@types/") ? [specifierOf(name)] : [],
  };
  const main = path.join(folder, "__oracle__.ts");
  const host = ts.createCompilerHost(options, true);
  const modules = new Map();
  for (const specifier of specifiersOf(name)) {
    const resolved = ts.resolveModuleName(specifier, main, options, host).resolvedModule;
    if (resolved && /\.[cm]?[jt]sx?$/.test(resolved.resolvedFileName)) modules.set(specifier, resolved.resolvedFileName);
  }
  const program = ts.createProgram([...modules.values()], options, host);
  const checker = program.getTypeChecker();
  const here = fs.realpathSync(path.join(folder, "node_modules", name)) + path.sep;
  const rows = new Map();

  const isOurs = (symbol) =>
    (symbol.declarations || []).some((each) => {
      const file = each.getSourceFile().fileName;
      return file.startsWith(here) && !file.slice(here.length).includes("node_modules/");
    });

  function isHidden(symbol) {
    return (symbol.declarations || []).every((each) => {
      const flags = ts.getCombinedModifierFlags(each);
      if (flags & ts.ModifierFlags.Private) return true;
      if (each.name && ts.isPrivateIdentifier(each.name)) return true;
      return ts.getJSDocTags(each).some((tag) => HIDDEN.has(tag.tagName.text));
    });
  }

  function docsOf(symbol) {
    const found = [];
    for (const each of symbol.declarations || []) {
      const alone = ts.displayPartsToString(ts.JsDoc.getJsDocCommentsFromDeclarations([each], undefined));
      if (alone.trim() && !found.includes(alone)) found.push(alone);
    }
    return found;
  }

  function add(symbol, names, depth) {
    if (depth > MAX_DEPTH || !isOurs(symbol) || isHidden(symbol)) return;
    let row = rows.get(symbol);
    const isNew = !row;
    if (isNew) {
      const first = symbol.declarations[0];
      const file = first.getSourceFile();
      row = {
        package: name,
        names: [],
        docs: docsOf(symbol),
        kind: ts.SyntaxKind[first.kind],
        place: `${path.relative(here, file.fileName)}:${file.getLineAndCharacterOfPosition(first.getStart()).line + 1}`,
      };
      rows.set(symbol, row);
    }
    row.names.push(...names.filter((each) => !row.names.includes(each) && row.names.length < 400));
    if (!isNew && row.names.length > 40) return;
    const inner = new Map();
    for (const table of [symbol.members, symbol.exports]) if (table) table.forEach((each, key) => inner.set(String(key), each));
    for (const declaration of symbol.declarations || []) {
      if (ts.isTypeAliasDeclaration(declaration) && ts.isTypeLiteralNode(declaration.type)) {
        declaration.type.symbol.members.forEach((each, key) => inner.set(String(key), each));
      }
    }
    inner.forEach((each, key) => {
      let target = each;
      if (target.flags & ts.SymbolFlags.Alias) target = checker.getAliasedSymbol(target);
      if (target.flags & ts.SymbolFlags.TypeParameter || key === "prototype") return;
      let shown = key;
      if (key === "__constructor") shown = "constructor";
      else if (key.startsWith("__@")) shown = "@@" + key.slice(3).split("@")[0];
      else if (key.startsWith("__") && !each.declarations) return;
      else if (["__call", "__new", "__index", "export=", "__export"].includes(key)) return;
      if (!/^(@@)?[\w$][\w$-]*$/.test(shown)) return;
      add(target, names.map((one) => `${one}.${shown}`), depth + 1);
    });
  }

  function module_(specifier, symbol) {
    const whole = checker.resolveExternalModuleSymbol ? checker.resolveExternalModuleSymbol(symbol) : symbol;
    if (whole !== symbol) add(whole, [`${specifier}.default`], 0);
    for (const each of checker.getExportsOfModule(symbol)) {
      const target = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each;
      if (target.flags & ts.SymbolFlags.ValueModule) continue;
      add(target, [`${specifier}.${each.name}`], 0);
    }
  }

  for (const [specifier, file] of modules) {
    const source = program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    if (symbol) module_(specifier, symbol);
  }
  for (const symbol of checker.getAmbientModules()) {
    const specifier = symbol.name.replace(/^"|"$/g, "");
    if (isOurs(symbol) && !specifier.includes("*") && !specifier.startsWith("/")) module_(specifier, symbol);
  }
  for (const row of rows.values()) if (row.docs.length) process.stdout.write(JSON.stringify(row) + "\n");
}

for (const name of process.argv.slice(3)) run(name);
