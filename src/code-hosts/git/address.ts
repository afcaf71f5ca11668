/** From the admin's URL template to the address of one repository. */
import { AppError } from "../../domain/errors.ts";
import { isRepositoryName } from "../../domain/repository.ts";
import { ReviewFailed } from "../../domain/review.ts";

/** No `ext::`, no bundle, no local path: git must not find another meaning in what stands here. */
const schemes = ["https", "http", "ssh", "git", "file"] as const;
export type Scheme = (typeof schemes)[number];

export interface RepositoryAddress {
  scheme: Scheme;
  /** As git is given it: with the user of ssh, without any password. Also what people are shown. */
  url: string;
  /** Value of the `Authorization` header for http and https; null without credentials. */
  authorization: string | null;
}

const placeholder = "{repository}";

/** Throws AppError `validation_failed` when no repository could be reached by this template. */
export function checkUrlTemplate(template: string): void {
  const problem = problemOf(template);
  if (problem === null) return;
  const message = `The URL template of a git host ${problem}.`;
  throw new AppError("validation_failed", message, { fields: [{ path: "/url", code: "invalid", message }] });
}

/** `token` takes the place of the template's password. Throws ReviewFailed when the name is no repository's. */
export function repositoryAddress(
  template: string,
  repository: string,
  token: string | null,
): RepositoryAddress {
  if (!isRepositoryName(repository)) {
    throw new ReviewFailed(
      "repository_unreachable",
      `${JSON.stringify(repository)} is not a repository's name.`,
    );
  }
  const url = new URL(template.replaceAll(placeholder, repository));
  const scheme = schemeOf(url);
  if (scheme === null) throw new Error(`unchecked URL template: ${url.protocol}`);
  if (scheme !== "http" && scheme !== "https") return { scheme, url: url.href, authorization: null };

  const user = decodeURIComponent(url.username);
  const password = token ?? decodeURIComponent(url.password);
  url.username = "";
  url.password = "";
  const authorization = user === "" && password === "" ? null : basic(user === "" ? "git" : user, password);
  return { scheme, url: url.href, authorization };
}

function problemOf(template: string): string | null {
  if (!template.includes(placeholder)) return `must contain ${placeholder}`;
  if (/[\s\p{Cc}]/u.test(template)) return "must not contain spaces or control characters";
  const url = URL.parse(template.replaceAll(placeholder, "owner/repo"));
  if (url === null) return "must be an address such as https://git.example.com/{repository}.git";
  const scheme = schemeOf(url);
  if (scheme === null) {
    return `must start with one of ${schemes.map((name) => `${name}://`).join(", ")} (git@host:path is ssh://git@host/path)`;
  }
  if (url.search !== "" || url.hash !== "") return "must not contain ? or #";
  if (scheme === "file") return url.host === "" ? null : "must name no host after file://";
  if (url.host === "" || url.hostname.startsWith("-")) return "must name a host";
  if (!url.pathname.includes("owner/repo")) return `must have ${placeholder} in its path`;
  if (scheme === "http" || scheme === "https") return null;
  if (url.password !== "") return `must not contain a password: ${scheme} takes none`;
  return url.username.startsWith("-") ? "must name a user that does not start with -" : null;
}

function schemeOf(url: URL): Scheme | null {
  return schemes.find((scheme) => url.protocol === `${scheme}:`) ?? null;
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, "utf8").toString("base64")}`;
}
