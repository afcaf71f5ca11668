/** Requests to other machines over a connection that everybody on the way can read and change. */
import type { Detector } from "../detector.ts";
import { type Finding, findingAt, newFile, type Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { stoodBefore } from "./stood-before.ts";

const plainHttp: Rule = {
  id: "any/plain-http-request",
  title: "request over an open connection",
  category: "security",
  severity: "low",
  cwe: 319,
  message: "This talks to `{host}` over plain HTTP.",
  why: "Everybody on the way can read what is sent, and answer in its place.",
  advice: "Use `https://`.",
  placement: "inline",
  bad: [
    newFile("src/a.ts", 'const rates = await fetch("http://api.rates-corp.net/v1/latest");\n'),
    newFile("shop/a.py", 'requests.post("http://pay.shop-corp.net/charge", json=order)\n'),
    newFile("a.go", 'package a\n\nvar r, err = http.Get("http://rates-corp.net/latest")\n'),
    newFile("src/a.ts", 'const apiUrl = "http://api.rates-corp.net/v1";\n'),
  ],
  ok: [
    newFile("src/a.ts", 'const rates = await fetch("https://api.rates-corp.net/v1/latest");\n'),
    newFile("src/a.ts", 'const rates = await fetch("http://localhost:8080/latest");\n'),
    newFile("src/a.ts", 'const rates = await fetch("http://rates:8080/latest");\n'),
    newFile("src/a.ts", 'const rates = await fetch("http://api.example.com/latest");\n'),
    newFile("src/a.ts", 'const apiUrl = settings.api ?? "http://127.0.0.1:8080";\n'),
    newFile("src/a.ts", 'const svg = "http://www.w3.org/2000/svg";\n'),
    newFile("src/a.ts", '// fetch("http://api.rates-corp.net/v1/latest")\n'),
    newFile(
      "shop/a.py",
      '"""Use it like this:\n\n    requests.get("http://api.rates-corp.net/v1/latest")\n"""\n',
    ),
    newFile("docs/conf.py", 'base_url = "http://rates-corp.net"\n'),
    newFile("test/a.test.ts", 'await fetch("http://api.rates-corp.net/v1/latest");\n'),
  ],
};

const request =
  "(?:\\bfetch|\\baxios(?:\\.\\w{1,10})?|\\b(?:requests|httpx|session|client|http|HTTParty|RestClient|Faraday|reqwest|Http)(?:\\.|::)(?:get|post|put|patch|delete|head|request|new|Get|Post|PostForm|Head)|\\burlopen|\\bhttp\\.NewRequest\\([^,]{1,40},|\\bcurl_init|\\bfile_get_contents|\\b(?:Get|Post|Put)(?:String|AsJson)?Async|\\bURI\\.create|\\bnew (?:URL|Uri))\\(\\s*";
const setting =
  "\\b\\w*(?:api|base|service|server|webhook|endpoint|callback)_?(?:url|uri|endpoint)\\b[\"']?\\s*(?:[:=]|:=)\\s*";
const address = new RegExp(
  `(?:${request}|${setting})[bfru$@]{0,2}["'\`]http:\\/\\/(?<host>[\\w.-]{1,200})`,
  "i",
);

/** With a top-level domain that is no network of one's own, and no name kept for examples (RFC 2606, RFC 6761). */
const publicHost =
  /\.(?!local|internal|lan|home|corp|test|example|invalid|localhost|svc|docker|intranet)[a-z]{2,20}$/i;
const documentation = /(?:^|\.)(?:example|your[\w-]*|my[\w-]*|foo|bar|acme|domain|site|host)\.[a-z]+$/i;
const comment = /^\s*(?:\/\/|#|\*|\/\*|--|<!--)/;
const lineLengthMax = 1_000;

export const plainHttpRequests: Detector = {
  rules: [plainHttp],
  appliesTo: ({ isTest, language, path }) =>
    !isTest && !/(?:^|\/)docs?\//.test(path) && !/^(?:json|yaml|hcl|bash)$/.test(language ?? "json"),
  *find(file: SourceFile): Generator<Finding> {
    for (const { line, text } of file.addedLines()) {
      if (!text.includes("http://") || text.length > lineLengthMax || comment.test(text)) continue;
      const host = address.exec(text)?.groups?.host;
      if (host === undefined || !publicHost.test(host) || documentation.test(host)) continue;
      const isKnown = stoodBefore(file, `http://${host}`);
      if (!isKnown && !isProse(file, line, text.indexOf("http://")))
        yield findingAt(plainHttp, line, { host });
    }
  },
};

/** In a comment, or in a text that began on a line above. */
function isProse({ tree }: SourceFile, line: number, column: number): boolean {
  let node = tree?.rootNode.descendantForPosition({ row: line - 1, column }) ?? null;
  for (; node !== null; node = node.parent) {
    if (/comment|heredoc/.test(node.type)) return true;
    if (/string|template/.test(node.type) && node.startPosition.row < line - 1) return true;
  }
  return false;
}
