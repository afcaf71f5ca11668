/** JavaScript modules: functions that are called and nowhere bound. TypeScript has a compiler that says so. */
import type { Detector } from "../detector.ts";
import { field, fields, type PlainNode } from "../parser/plain-tree.ts";
import { type Finding, findingAt, newFile, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { within } from "./within.ts";

const undefinedCall: Rule = {
  id: "js/undefined-call",
  title: "function that is nowhere defined",
  category: "bug",
  severity: "high",
  cwe: null,
  message: "`{name}` is neither defined nor imported in this module.",
  why: "The line throws a `ReferenceError` as soon as it runs.",
  advice: "Import it, or correct its spelling.",
  placement: "inline",
  bad: [
    newFile(
      "src/a.js",
      'import { format } from "./format.js";\n\nexport const title = (report) => formatt(report.title);\n',
    ),
    newFile("src/a.js", 'const fs = require("fs");\n\nmodule.exports = (path) => readFile(path);\n'),
  ],
  ok: [
    newFile(
      "src/a.js",
      'import { format } from "./format.js";\n\nexport const title = (report) => format(report.title);\n',
    ),
    newFile("src/a.js", "show(title());\n"),
    newFile(
      "src/a.js",
      'import a from "a";\n\nexport const f = ({ b: [c], ...d }) => c(setTimeout(d), a);\n',
    ),
    newFile("src/a.js", '/* global report */\nimport a from "a";\n\nreport(a);\n'),
    newFile("src/a.js", 'import a from "a";\n\nif (typeof report === "function") report(a);\n'),
    newFile("src/a.js", 'import a from "a";\n\nconst route = useRoute();\n'),
  ],
};

/** More than that, and the names come from where the file cannot tell: a host program, a bundler, a template. */
const namesMax = 2;

const isModule = /^\s*(import|export)\s|\brequire\(/m;
/** A file that says that it gets names from elsewhere, or brings them in by other ways than writing them. */
const otherWays = /\/[*/]\s*(globals?|eslint-env|jshint|@ts-nocheck)\b|\bimportScripts\(|\beval\(|\bwith \(/;

/** What engines, browsers, loaders and test runners put there; frameworks import `use…` and `define…` by themselves. */
const given = new Set(
  `alert atob btoa cancelAnimationFrame cancelIdleCallback clearImmediate clearInterval clearTimeout close confirm
  createImageBitmap decodeURI decodeURIComponent encodeURI encodeURIComponent escape fetch find focus getComputedStyle
  getSelection isFinite isNaN matchMedia moveBy moveTo open parseFloat parseInt postMessage print prompt queueMicrotask
  reportError requestAnimationFrame requestIdleCallback require scroll scrollBy scrollTo setImmediate setInterval
  setTimeout stop structuredClone unescape addEventListener removeEventListener dispatchEvent gc importScripts
  require requirejs define exports module jest describe it test expect before after beforeEach afterEach beforeAll
  afterAll suite setup teardown assert ref reactive computed watch watchEffect nextTick inject provide resolve navigateTo
  super import gettext ngettext interpolate pgettext acquireVsCodeApi grecaptcha gtag ga fbq ymaps moment axios`.split(
    /\s+/,
  ),
);

export const undefinedCalls: Detector = {
  rules: [undefinedCall],
  appliesTo: ({ language, text, whole, isTest }) =>
    language === "javascript" && whole && !isTest && isModule.test(text) && !otherWays.test(text),
  find,
};

function* find(file: SourceFile): Generator<Finding> {
  if (file.tree === null || file.tree.rootNode.hasError) return;
  const code = file.code;
  if (code === null) return;
  const bound = new Set<string>();
  const calls: PlainNode[] = [];
  for (const node of within(code)) {
    for (const name of namesBoundBy(node)) bound.add(name);
    const callee = node.type === "call_expression" ? field(node, "function") : null;
    if (callee?.type === "identifier") calls.push(callee);
  }
  const unknown = Map.groupBy(
    calls.filter(({ text }) => !bound.has(text) && !isGiven(text)),
    ({ text }) => text,
  );
  if (unknown.size > namesMax) return;
  for (const [name, places] of unknown) {
    // Where the file called it before, it comes from somewhere.
    const isNew = places.every(({ line }) => file.added.has(line));
    if (isNew) yield findingAt(undefinedCall, places[0]?.line ?? 1, { name });
  }
}

function isGiven(name: string): boolean {
  return given.has(name) || /^(use|define|on)[A-Z]|^[_$A-Z]|^.{1,2}$/.test(name);
}

/** Fields that bind, by kind of node; a name bound in any scope counts as known everywhere. */
const binding: Readonly<Record<string, readonly string[]>> = {
  variable_declarator: ["name"],
  function_declaration: ["name"],
  generator_function_declaration: ["name"],
  function_expression: ["name"],
  generator_function: ["name"],
  class_declaration: ["name"],
  class: ["name"],
  arrow_function: ["parameter"],
  catch_clause: ["parameter"],
  for_in_statement: ["left"],
  assignment_expression: ["left"],
  import_specifier: ["name", "alias"],
};
const wholes = /^(formal_parameters|import_clause|namespace_import)$/;

function* namesBoundBy(node: PlainNode): Generator<string> {
  // Who asks for its type knows that it may be missing.
  if (node.type === "unary_expression" && field(node, "operator")?.text === "typeof") {
    yield field(node, "argument")?.text ?? "";
  }
  const parts = wholes.test(node.type)
    ? [node]
    : (binding[node.type] ?? []).flatMap((name) => fields(node, name));
  for (const part of parts) {
    for (const inner of within(part)) if (/identifier/.test(inner.type)) yield inner.text;
  }
}
