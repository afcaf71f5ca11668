/** A code host at the edge of the tests: its pull requests are made by the test, its moods too. */
import { searchInFiles } from "../../src/code-hosts/search-in-files.ts";
import { type CodeHost, CodeHostUnavailable } from "../../src/domain/code-host.ts";
import type { PullRequest, PullRequestRef } from "../../src/domain/pull-request.ts";
import { type FailureCode, ReviewFailed } from "../../src/domain/review.ts";
import type { PullRequestFixture } from "./builders.ts";
import { diffOfFiles } from "./diff-of-files.ts";

export interface FakeCodeHost extends CodeHost, Mood, Omit<Gate, "pass"> {
  /** Opens the pull request, or replaces its head (a push, or a force-push). */
  opens(pullRequest: PullRequestFixture): void;
  pushes(pullRequest: PullRequestFixture): void;
  closes(ref: PullRequestRef): void;
  /** `getDiff acme/shop#7`, in the order of the questions. */
  readonly questions: readonly string[];
}

interface Version {
  ref: PullRequestRef;
  pr: PullRequest;
  fixture: PullRequestFixture;
}

export function createFakeCodeHost(name = "local"): FakeCodeHost {
  const open = new Map<string, Version>();
  const versions = new Map<string, Version>();
  const questions: string[] = [];
  const { show, ...mood } = createMood(name);
  const { pass, ...gate } = createGate();

  function ask(question: string, ref: PullRequestRef, signal: AbortSignal): void {
    signal.throwIfAborted();
    questions.push(`${question} ${keyOf(ref)}`);
    show();
  }

  function filesOf(pr: PullRequest): Pick<PullRequestFixture, "base" | "head"> {
    const version = versions.get(pr.headSha);
    if (version === undefined) throw new ReviewFailed("pull_request_not_found", "That commit is not there.");
    return version.fixture;
  }

  function opens(fixture: PullRequestFixture): void {
    const ref = { repository: fixture.repository, number: fixture.number };
    const version = { ref, pr: describe(fixture), fixture };
    open.set(keyOf(ref), version);
    versions.set(version.pr.headSha, version);
  }

  return {
    ...{ name, capabilities: nothingButReading, questions },
    ...mood,
    ...gate,
    opens,
    pushes: opens,
    closes: (ref) => void open.delete(keyOf(ref)),
    async getPullRequest(ref, signal) {
      ask("getPullRequest", ref, signal);
      const version = open.get(keyOf(ref));
      if (version !== undefined) return version.pr;
      throw new ReviewFailed("pull_request_not_found", `There is no pull request ${keyOf(ref)}.`);
    },
    async getDiff(pr, signal) {
      ask("getDiff", pr, signal);
      await pass();
      const { base, head } = filesOf(pr);
      return diffOfFiles(base, head);
    },
    async getFile(pr, path, side, signal) {
      ask(`getFile ${side} ${path}`, pr, signal);
      const content = filesOf(pr)[side][path];
      return typeof content === "string" ? new TextEncoder().encode(content) : (content ?? null);
    },
    async listFiles(pr, folder, side, signal) {
      ask(`listFiles ${side} ${folder}`, pr, signal);
      return Object.keys(filesOf(pr)[side])
        .filter((path) => path.slice(0, path.lastIndexOf("/")) === folder)
        .sort();
    },
    async search(pr, words, side, signal) {
      ask(`search ${side} ${words.join(" ")}`, pr, signal);
      return searchInFiles(filesOf(pr)[side], words);
    },
    async listPullRequests(repository, signal) {
      signal.throwIfAborted();
      show();
      return [...open.values()]
        .filter(({ ref }) => ref.repository === repository)
        .map(({ ref, pr }) => ({ number: ref.number, headSha: pr.headSha }));
    },
  };
}

const nothingButReading: CodeHost["capabilities"] = {
  suggestions: false,
  multiLineComments: false,
  resolvableThreads: false,
  statuses: false,
  hooks: false,
};

interface Mood {
  /** From now on it cannot be reached. */
  goesAway(retryAfterMs?: number): void;
  comesBack(): void;
  /** From now on it answers with this. */
  refuses(code: FailureCode, message: string): void;
}

function createMood(name: string): Mood & { show(): void } {
  let failure: Error | null = null;
  return {
    goesAway(retryAfterMs) {
      const message = `The code host ${name} cannot be reached.`;
      failure = new CodeHostUnavailable(message, retryAfterMs === undefined ? {} : { retryAfterMs });
    },
    comesBack() {
      failure = null;
    },
    refuses(code, message) {
      failure = new ReviewFailed(code, message);
    },
    show() {
      if (failure !== null) throw failure;
    },
  };
}

interface Gate {
  /** From now on it takes questions for a diff and answers none of them until it `answers()`. */
  hesitates(): void;
  answers(): void;
  /** Resolves when `count` questions for a diff wait for their answer. */
  isAskedBy(count: number): Promise<void>;
  pass(): Promise<void>;
}

function createGate(): Gate {
  let gate: PromiseWithResolvers<void> | null = null;
  let waiting = 0;
  let onQuestion = () => {};
  return {
    hesitates() {
      gate = Promise.withResolvers();
    },
    answers() {
      gate?.resolve();
      gate = null;
    },
    async isAskedBy(count) {
      while (waiting < count) {
        const asked = Promise.withResolvers<void>();
        onQuestion = asked.resolve;
        await asked.promise;
      }
    },
    async pass() {
      if (gate === null) return;
      waiting += 1;
      onQuestion();
      await gate.promise;
      waiting -= 1;
    },
  };
}

function keyOf(ref: PullRequestRef): string {
  return `${ref.repository}#${ref.number}`;
}

function describe(fixture: PullRequestFixture): PullRequest {
  return {
    repository: fixture.repository,
    number: fixture.number,
    title: fixture.title,
    body: "",
    author: "ada",
    headBranch: "topic",
    baseBranch: "main",
    headSha: commitOf(fixture, "head"),
    baseSha: commitOf(fixture, "base"),
    url: `https://git.test/${fixture.repository}/pulls/${fixture.number}`,
  };
}

function commitOf(fixture: PullRequestFixture, side: "base" | "head"): string {
  const content = JSON.stringify([fixture.repository, fixture.number, fixture[side]]);
  return new Bun.CryptoHasher("sha1").update(content).digest("hex");
}
