/**
 * From what git said to what a person can act on. Messages are ours: git's own words hold paths of the cache, and
 * the server's may hold anything; they stay in the cause, for the log.
 */
import { CodeHostUnavailable } from "../../domain/code-host.ts";
import { type FailureCode, ReviewFailed } from "../../domain/review.ts";
import type { Scheme } from "./address.ts";
import { type GitLimits, seconds, size } from "./limits.ts";
import { GitFailed } from "./process.ts";

export interface FailureContext {
  /** The repository as people know it: an address without credentials, or a folder. */
  place: string;
  scheme: Scheme;
  limits: GitLimits;
}

/** Turns a GitFailed into ReviewFailed, or into CodeHostUnavailable where trying again may help; passes on the rest. */
export function explained(error: unknown, context: FailureContext): unknown {
  if (!(error instanceof GitFailed)) return error;
  return error.reason === "exit" ? explainedExit(error, context) : explainedCut(error, context);
}

/** Objects that should be in the repository at hand are not, or cannot be read. */
export function hasMissingObjects(error: unknown): boolean {
  return (
    error instanceof GitFailed && error.reason === "exit" && damage.test(withoutRemoteLines(error.stderr))
  );
}

const damage =
  /corrupt|bad (?:object|tree|config|signature)|unable to read|missing (?:blob|tree|object|commit)|inflate|loose object|not a git repository: '|packfile \S+ (?:cannot|does not|is)|index file .* (?:too small|is)|did not send all necessary objects|pack has bad object|revision walk setup failed|unable to parse/i;

function explainedCut(error: GitFailed, { place, limits }: FailureContext): Error {
  const cause = error;
  if (error.reason === "missing") {
    return new ReviewFailed("internal", "git is not installed on the machine that runs Plumbline.", {
      cause,
    });
  }
  const { command } = error;
  if (error.reason === "written") {
    const message = `Fetching from ${place} brings more than ${size(limits.fetchBytes)}.`;
    return new ReviewFailed("diff_too_large", message, { cause });
  }
  if (error.reason === "output") {
    if (command !== "ls-remote") {
      return new ReviewFailed("diff_too_large", "The pull request changes too many files. Split it.", {
        cause,
      });
    }
    const message = `${place} lists more references than the ${size(limits.referenceBytes)} that are read.`;
    return new ReviewFailed("repository_unreachable", message, { cause });
  }
  if (command === "ls-remote") {
    return new CodeHostUnavailable(`${place} did not answer within ${seconds(limits.listMs)}.`, { cause });
  }
  const message =
    command === "fetch"
      ? `Fetching from ${place} took longer than ${seconds(limits.fetchMs)}.`
      : `Comparing the pull request with its base took longer than ${seconds(limits.localMs)}.`;
  return new ReviewFailed("timed_out", message, { cause });
}

function explainedExit(error: GitFailed, { place, scheme, limits }: FailureContext): Error {
  const cause = error;
  const said = error.stderr;
  const failed = (code: FailureCode, message: string) => new ReviewFailed(code, message, { cause });
  const unavailable = (message: string) => new CodeHostUnavailable(message, { cause });

  if (/couldn't find remote ref/.test(said)) {
    return failed(
      "pull_request_not_found",
      `The pull request's head or base was deleted from ${place} just now.`,
    );
  }
  if (/out of memory|cannot allocate memory|mmap failed/i.test(withoutRemoteLines(said))) {
    return error.command === "ls-remote"
      ? failed("repository_unreachable", `${place} lists too many references.`)
      : failed(
          "diff_too_large",
          `The pull request takes more than ${size(limits.memoryBytes)} of memory to read.`,
        );
  }
  if (/No space left on device|Disk quota exceeded/i.test(withoutRemoteLines(said))) {
    return unavailable("The disk that holds the cache of repositories is full.");
  }
  if (
    /Authentication failed|could not read (?:Username|Password)|error: 40[13]\b|Permission denied|access denied/i.test(
      said,
    )
  ) {
    return failed("access_denied", `${place} refuses access${advice[scheme]}.`);
  }
  if (/error: 3\d\d\b/.test(said)) {
    return failed(
      "repository_unreachable",
      `${place} redirects to another address: configure that address instead.`,
    );
  }
  if (/Host key verification failed/i.test(said)) {
    const message = `The SSH host key of ${place} is not known: add it to the known_hosts of the user that runs Plumbline.`;
    return failed("repository_unreachable", message);
  }
  if (/certificate|SSL routines|gnutls_handshake|TLS connect error/i.test(said)) {
    const message = `The TLS certificate of ${place} is not trusted, or TLS failed; PLUMBLINE_CA_FILE adds an authority.`;
    return failed("repository_unreachable", message);
  }
  if (
    /does not appear to be a git repository|repository .*not (?:found|exported)|error: (?:404|410)\b|does not exist/i.test(
      said,
    )
  ) {
    return failed(
      "repository_unreachable",
      `There is no Git repository at ${place}, or it is hidden from Plumbline.`,
    );
  }
  if (
    /not valid: is this a git repository|invalid server response|protocol error|bad line length|Bad band/i.test(
      said,
    )
  ) {
    return failed("repository_unreachable", `What answers at ${place} is not a Git server.`);
  }
  if (/Could not resolve host|Name or service not known/i.test(said)) {
    return unavailable(`The host of ${place} has no address (DNS).`);
  }
  return unavailable(
    `${place} could not be read${error.command === "ls-remote" ? "" : ` (git ${error.command})`}.`,
  );
}

/** What an admin can do about refused access. */
const advice: Readonly<Record<Scheme, string>> = {
  https: ": check the user name and token in the git host's settings",
  http: ": check the user name and token in the git host's settings",
  ssh: ": check the SSH key of the user that runs Plumbline",
  git: "",
  file: ": the user that runs Plumbline must be able to read it",
};

/** What the server sent for people to read; it is not about our side. */
function withoutRemoteLines(stderr: string): string {
  return stderr.replaceAll(/^remote:.*$/gm, "");
}
