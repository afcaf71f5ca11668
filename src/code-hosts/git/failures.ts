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
  const { code, message } = error.reason === "exit" ? symptomOf(error) : cutBecause(error);
  const text = message(context);
  return code === "unavailable"
    ? new CodeHostUnavailable(text, { cause: error })
    : new ReviewFailed(code, text, { cause: error });
}

/** Objects that should be in the repository at hand are not, or cannot be read. */
export function hasMissingObjects(error: unknown): boolean {
  return error instanceof GitFailed && error.reason === "exit" && damage.test(ownWords(error));
}

const damage =
  /corrupt|bad (?:object|tree|config|signature)|unable to read|missing (?:blob|tree|object|commit)|inflate|loose object|not a git repository: '|packfile \S+ (?:cannot|does not|is)|index file .* (?:too small|is)|did not send all necessary objects|pack has bad object|revision walk setup failed|unable to parse/i;

interface Explanation {
  code: FailureCode | "unavailable";
  message: (context: FailureContext) => string;
}

/** By what git says in English; the first that fits counts. */
const symptoms: readonly (Explanation & { said: RegExp })[] = [
  {
    said: /couldn't find remote ref/,
    code: "pull_request_not_found",
    message: ({ place }) => `The pull request's head or base was deleted from ${place} just now.`,
  },
  {
    said: /No space left on device|Disk quota exceeded|Read-only file system/i,
    code: "unavailable",
    message: () => "The cache of repositories cannot be written: its disk is full or read-only.",
  },
  {
    said: /does not appear to be a git repository|repository .*not (?:found|exported)|error: (?:404|410)\b/i,
    code: "repository_unreachable",
    message: ({ place }) => `There is no Git repository at ${place}, or it is hidden from Plumbline.`,
  },
  {
    said: /Authentication failed|could not read (?:Username|Password)|error: 40[13]\b|Permission denied/i,
    code: "access_denied",
    message: ({ place, scheme }) => `${place} refuses access${advice[scheme]}.`,
  },
  {
    said: /error: 3\d\d\b/,
    code: "repository_unreachable",
    message: ({ place }) => `${place} redirects to another address: configure that address instead.`,
  },
  {
    said: /Host key verification failed/i,
    code: "repository_unreachable",
    message: ({ place }) =>
      `The SSH host key of ${place} is not known: add it to the known_hosts of the user that runs Plumbline.`,
  },
  {
    said: /certificate|SSL routines|gnutls_handshake|TLS connect error/i,
    code: "repository_unreachable",
    message: ({ place }) =>
      `The TLS certificate of ${place} is not trusted, or TLS failed; PLUMBLINE_CA_FILE adds an authority.`,
  },
  {
    said: /not valid: is this a git repository|invalid server response|protocol error|bad line length|Bad band/i,
    code: "repository_unreachable",
    message: ({ place }) => `What answers at ${place} is not a Git server.`,
  },
  {
    said: /Could not resolve host|Name or service not known/i,
    code: "unavailable",
    message: ({ place }) => `The host of ${place} has no address (DNS).`,
  },
  {
    said: /error: (?:429|5\d\d)\b/,
    code: "unavailable",
    message: ({ place }) => `The server of ${place} is overloaded or out of order (HTTP 429 or 5xx).`,
  },
  {
    said: /(?:failed|unable) to connect|connection (?:refused|timed out|reset)|no route to host|network is unreachable/i,
    code: "unavailable",
    message: ({ place }) => `Nothing answers at ${place}: no connection could be made.`,
  },
];

/** What an admin can do about refused access. */
const advice: Readonly<Record<Scheme, string>> = {
  https: ": check the user name and token in the git host's settings",
  http: ": check the user name and token in the git host's settings",
  ssh: ": check the SSH key of the user that runs Plumbline",
  git: "",
  file: ": the user that runs Plumbline must be able to read it",
};

function symptomOf(error: GitFailed): Explanation {
  if (/out of memory|cannot allocate memory|mmap failed/i.test(ownWords(error))) return outOfMemory(error);
  const known = symptoms.find(({ said }) => said.test(ownWords(error)));
  return (
    known ?? {
      code: "unavailable",
      message: ({ place }) => `${place} could not be read (git ${error.command}).`,
    }
  );
}

function outOfMemory(error: GitFailed): Explanation {
  if (error.command === "ls-remote") {
    return { code: "repository_unreachable", message: ({ place }) => `${place} lists too many references.` };
  }
  return {
    code: "diff_too_large",
    message: ({ limits }) =>
      `The pull request takes more than ${size(limits.memoryBytes)} of memory to read.`,
  };
}

function cutBecause({ reason, command }: GitFailed): Explanation {
  const listing = command === "ls-remote";
  if (reason === "missing") {
    return { code: "internal", message: () => "git is not installed on the machine that runs Plumbline." };
  }
  if (reason === "written") {
    return {
      code: "diff_too_large",
      message: ({ place, limits }) => `Fetching from ${place} brings more than ${size(limits.fetchBytes)}.`,
    };
  }
  if (command === "grep") return cutSearch(reason);
  if (reason === "output") {
    return listing
      ? { code: "repository_unreachable", message: ({ place }) => `${place} lists too many references.` }
      : { code: "diff_too_large", message: () => "The pull request changes too many files. Split it." };
  }
  if (listing) {
    return {
      code: "unavailable",
      message: ({ place, limits }) => `${place} did not answer within ${seconds(limits.listMs)}.`,
    };
  }
  return {
    code: "timed_out",
    message: ({ place, limits }) =>
      command === "fetch"
        ? `Fetching from ${place} took longer than ${seconds(limits.fetchMs)}.`
        : `Comparing the pull request with its base took longer than ${seconds(limits.localMs)}.`,
  };
}

function cutSearch(reason: GitFailed["reason"]): Explanation {
  const message: Explanation["message"] =
    reason === "output"
      ? ({ place, limits }) => `More than ${size(limits.searchBytes)} were found by a search of ${place}.`
      : ({ place, limits }) => `A search of ${place} took longer than ${seconds(limits.searchMs)}.`;
  return { code: "timed_out", message };
}

/** Without what the server sent for people to read: it may say anything. */
function ownWords({ stderr }: GitFailed): string {
  return stderr.replaceAll(/^remote:.*$/gm, "");
}
