/** A small page without scripts, for what a person opens in a browser. */

/** Shown as text, whatever it holds. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

const style =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}" +
  "code{font:14px ui-monospace,monospace}dt{font-weight:600;margin-top:1rem}dd{margin:0}";
const styleHash = new Bun.CryptoHasher("sha256").update(style).digest("base64");

/** `body` is HTML. */
export function htmlPage(title: string, body: string): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'`,
    },
  });
}
