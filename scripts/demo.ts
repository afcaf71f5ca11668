/**
 * Shows the whole product on a sample: builds, serves, sets up by the commands a user has, asks for a review through the
 * public API, prints it, and goes on serving until Ctrl-C (not with --once). Leaves nothing behind.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildExecutable } from "./build.ts";
import { type Installation, startInstallation } from "./demo/installation.ts";
import { printReview, type ShownReview } from "./demo/print-review.ts";
import { makeSampleRepository } from "./demo/sample-repository.ts";

const adminEmail = "ada@acme.example";
const reviewTimeoutMs = 60_000;
const pollMs = 100;

interface Options {
  once: boolean;
  /** Shown instead of one that is built now. */
  executable?: string;
}

async function main({ once, executable }: Options, interrupted: Promise<void>): Promise<void> {
  const program = executable ?? (await build());
  const folder = await mkdtemp(join(tmpdir(), "plumbline-demo-"));
  let installation: Installation | null = null;
  try {
    say("Making a sample repository with an open pull request");
    await makeSampleRepository(join(folder, "repositories"));
    say("Starting plumbline serve on a temporary data folder");
    installation = await startInstallation(program, folder);
    const story = tell(installation, folder);
    const died = installation.ended.then((cause) => Promise.reject(new Error(cause)));
    const tooEarly = interrupted.then(() => Promise.reject(new Error("It was interrupted.")));
    await Promise.race([story, died, tooEarly]);
    if (once) return;
    console.log("Serving until Ctrl-C; then everything of the demo is removed.");
    await Promise.race([interrupted, died]);
  } finally {
    await installation?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function build(): Promise<string> {
  say("Building dist/plumbline");
  return buildExecutable({ target: null });
}

async function tell(installation: Installation, folder: string): Promise<void> {
  const password = Buffer.from(crypto.getRandomValues(new Uint8Array(12))).toString("base64url");
  const apiKey = await setUp(installation, folder, password);
  const review = await reviewPullRequest(`${installation.address}/v1`, apiKey);
  printReview(review);
  sayHowToGoOn(installation.address, apiKey, password, review);
}

async function setUp(installation: Installation, folder: string, password: string): Promise<string> {
  const passwordFile = join(folder, "password");
  await Bun.write(passwordFile, password, { mode: 0o600 });
  const url = `file://${folder}/repositories/{repository}.git`;
  const run = (...args: string[]) => {
    console.log(`    plumbline ${args.map((arg) => (/[{}]/.test(arg) ? `'${arg}'` : arg)).join(" ")}`);
    return installation.plumbline(...args);
  };
  say("Setting it up");
  await run("setup", "--org", "acme", "--admin-email", adminEmail, "--admin-password-file", passwordFile);
  const apiKey = await run("keys", "create", "--name", "demo");
  await run("hosts", "add", "git", "--name", "local", "--url", url);
  await run("repos", "enable", "acme/shop", "--host", "local");
  return apiKey;
}

async function reviewPullRequest(baseUrl: string, apiKey: string): Promise<ShownReview> {
  say(`Asking for a review: POST ${baseUrl}/reviews`);
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const body = JSON.stringify({ repository: "acme/shop", pull_request: 1 });
  const created = (await answer(await fetch(`${baseUrl}/reviews`, { method: "POST", headers, body }))) as {
    id: string;
  };
  const deadline = performance.now() + reviewTimeoutMs;
  let shown = "";
  while (performance.now() < deadline) {
    const review = (await answer(
      await fetch(`${baseUrl}/reviews/${created.id}`, { headers }),
    )) as ShownReview;
    const progress = `    ${review.id} is ${review.status}`;
    if (progress !== shown) console.log(progress);
    shown = progress;
    if (review.status === "completed") return review;
    if (review.status === "failed") throw new Error(`The review failed: ${JSON.stringify(review.error)}`);
    await Bun.sleep(pollMs);
  }
  throw new Error(`The review did not end within ${reviewTimeoutMs / 1_000} s`);
}

async function answer(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

function sayHowToGoOn(address: string, apiKey: string, password: string, review: ShownReview): void {
  console.log(`
API reference   ${address}/swagger
Sign-in         ${adminEmail} with ${password}
API key         ${apiKey}
The same again  curl -s -H 'Authorization: Bearer ${apiKey}' ${address}/v1/reviews/${review.id}
`);
}

function say(text: string): void {
  console.log(`==> ${text}`);
}

function interruption(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
  return promise;
}

try {
  const { values } = parseArgs({
    options: { once: { type: "boolean", default: false }, executable: { type: "string" } },
  });
  await main(values, interruption());
  process.exit(0);
} catch (error) {
  console.error(`\nThe demo failed. ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
