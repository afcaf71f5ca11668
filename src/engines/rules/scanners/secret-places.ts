/** Places where a credential stands by the form of the text around it, whoever issued it. */
import { looksInvented } from "./placeholder.ts";
import type { SecretShape } from "./secret-shapes.ts";

/** Not another machine, or one that only a composition of containers knows. */
const elsewhere =
  "(?!localhost|127\\.|0\\.0\\.0\\.0|\\[::1\\]|example\\.|\\.|\\(local|[\\w-]+(?:[:/;\\\\]|$))";

/** Documentation shows such places without meaning them, so they are not looked for there. */
export const secretPlaces: readonly SecretShape[] = [
  {
    kind: "password in a JDBC address",
    pattern: new RegExp(
      `\\bjdbc:[\\w:]{1,40}\\/\\/${elsewhere}[^\\s"'\`]{1,200}[?&;]password=(?<secret>[^\\s&;"'\`<>{}$]{6,100})`,
      "gi",
    ),
  },
  {
    kind: "password in a connection string",
    pattern: new RegExp(
      `\\b(?:Server|Data Source|Host)=(?:tcp:)?${elsewhere}[^;"'\\n]{1,200};[^"'\\n]{0,300}\\b(?:Password|Pwd)=(?<secret>[^;"'\\s{}$<>]{6,100})`,
      "gi",
    ),
  },
  {
    kind: "password of a netrc file",
    pattern:
      /\bmachine\s{1,9}\S{1,200}\s{1,9}login\s{1,9}\S{1,100}\s{1,9}password\s{1,9}(?<secret>\S{6,200})/g,
  },
  {
    kind: "token of an Authorization header",
    pattern: /\bBearer\s{1,4}(?<secret>[A-Za-z0-9_~+/-]{24,200}={0,2})(?![A-Za-z0-9_.~+/=-])/g,
    plausible: isMixed,
  },
  {
    kind: "password of an Authorization header",
    pattern: /\bBasic\s{1,4}(?<secret>[A-Za-z0-9+/]{12,200}={0,2})(?![A-Za-z0-9+/=])/g,
    plausible: isNameAndPassword,
  },
  {
    kind: "JSON Web Token that never expires",
    pattern:
      /(?<![A-Za-z0-9_-])(?<secret>eyJ[A-Za-z0-9_-]{10,500}\.eyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{20,700})(?![A-Za-z0-9_-])/g,
    plausible: isLastingToken,
  },
];

function isMixed(secret: string): boolean {
  return /\d.*\d/.test(secret) && /[a-z].*[a-z]/.test(secret) && /[A-Z].*[A-Z]/.test(secret);
}

function isNameAndPassword(secret: string): boolean {
  const decoded = Buffer.from(secret, "base64").toString("latin1");
  const [, password] = /^[\w.@+-]{1,80}:([\x21-\x7e]{6,100})$/.exec(decoded) ?? [];
  return password !== undefined && /\d|[^\w]/.test(password) && !looksInvented(password);
}

/** Seconds of a year: a token that lives longer is as good as a password. */
const yearSeconds = 31_536_000;

/** Not the sample of jwt.io, nor the key that Supabase means for browsers. */
function isLastingToken(token: string): boolean {
  const claims = claimsOf(token);
  if (claims === null || claims.role === "anon" || claims.sub === "1234567890" || claims.sub === "1234")
    return false;
  const { iat, exp } = claims;
  return exp === undefined || (typeof exp === "number" && typeof iat === "number" && exp - iat > yearSeconds);
}

function claimsOf(token: string): Readonly<Record<string, unknown>> | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    return typeof claims === "object" && claims !== null ? (claims as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
