import { type Command, Option } from "commander";
import { createReview, getReview } from "../admin/reviews.ts";
import { type Category, categories, isAtLeast, type Severity, severities } from "../domain/comment.ts";
import { AppError } from "../domain/errors.ts";
import { type PullRequestRef, pullRequestName } from "../domain/pull-request.ts";
import type { Admin } from "./admin.ts";
import { given } from "./admin-command.ts";
import { type Cli, exitCodes } from "./cli.ts";
import { type Report, reportOf, reportOfLocal, type StoredReview } from "./formats/report.ts";
import { asSarif } from "./formats/sarif.ts";
import { asText } from "./formats/text.ts";
import { addSettingOptions, settingFlags } from "./setting-options.ts";

type Format = "text" | "json" | "sarif";

interface ReviewOptions extends Record<string, unknown> {
  local?: string;
  repo?: string;
  wait?: true;
  format: Format;
  focus?: Category[];
  threshold?: Severity;
  failOn?: Severity;
}

const pollMs = 250;

export function addReview(program: Command, cli: Cli): void {
  const review = program
    .command("review")
    .description("review a pull request on the server, or a range of a local repository without one")
    .argument("[pull-request]", "such as acme/shop#7")
    .option("--wait", "wait for the review and print it, not only its id")
    .option("--local <BASE..HEAD>", "review what HEAD changed since BASE, here and now")
    .option("--repo <dir>", "the local repository (default: the current folder)")
    .addOption(
      new Option("--format <format>", "how to print it").choices(["text", "json", "sarif"]).default("text"),
    )
    .addOption(new Option("--focus <category...>", "comment on these only").choices(categories))
    .addOption(
      new Option("--threshold <severity>", "leave out what is less serious (default: low)").choices(
        severities,
      ),
    )
    .addOption(
      new Option("--fail-on <severity>", "exit with 3 when a comment is at least this serious").choices(
        severities,
      ),
    )
    .showHelpAfterError("Add --help to see how it is used.");

  addSettingOptions(review, "offline").action(
    async (pullRequest: string | undefined, options: ReviewOptions) => {
      if ((pullRequest === undefined) === (options.local === undefined)) {
        review.error("error: name a pull request such as acme/shop#7, or a range with --local BASE..HEAD");
      }
      if (options.local !== undefined)
        return print(await localReport(cli, options.local, options), options, cli);
      const asked = parsePullRequest(pullRequest ?? "");
      if (options.wait) return print(await waitedReport(cli, asked, options), options, cli);
      if (options.format === "sarif" || options.failOn !== undefined) {
        review.error("error: --format sarif and --fail-on need --wait");
      }
      await ask(cli, asked, options);
    },
  );
}

function parsePullRequest(text: string): PullRequestRef {
  const [, repository, digits] = /^(.+)#(\d{1,10})$/.exec(text) ?? [];
  if (repository !== undefined && digits !== undefined) return { repository, number: Number(digits) };
  throw new AppError(
    "validation_failed",
    `${JSON.stringify(text)} names no pull request; one is like acme/shop#7`,
  );
}

async function ask(cli: Cli, asked: PullRequestRef, options: ReviewOptions): Promise<void> {
  await cli.withAdmin(settingFlags(options), async (admin) => {
    const created = await create(admin, asked, options);
    if (!admin.isServed()) cli.io.stderr("No server runs here: the review waits until one does.\n");
    cli.io.stdout(options.format === "json" ? `${JSON.stringify(created, null, 2)}\n` : `${created.id}\n`);
  });
}

function create(admin: Admin, asked: PullRequestRef, { focus, threshold }: ReviewOptions) {
  const { repository, number } = asked;
  const input = { repository, pull_request: number, focus_areas: focus, severity_threshold: threshold };
  return admin.run(createReview, given(input));
}

async function waitedReport(cli: Cli, asked: PullRequestRef, options: ReviewOptions): Promise<Report> {
  const flags = settingFlags(options);
  const { withServer } = await import("./with-server.ts");
  const review = await withServer(cli.config(flags), () =>
    cli.withAdmin(flags, async (admin) => finished(admin, (await create(admin, asked, options)).id)),
  );
  if (review.error === null) return reportOf(review);
  const { code, message } = review.error;
  throw new AppError("conflict", `The review of ${pullRequestName(asked)} failed (${code}): ${message}`);
}

async function finished(admin: Admin, id: string): Promise<StoredReview> {
  for (;;) {
    const review = await admin.run(getReview, { id });
    if (review.status === "completed" || review.status === "failed") return review;
    await Bun.sleep(pollMs);
  }
}

async function localReport(cli: Cli, range: string, options: ReviewOptions): Promise<Report> {
  const { logLevel, logFormat } = cli.config(settingFlags(options));
  const [{ reviewLocally }, { createLogger }] = await Promise.all([
    import("./local-review.ts"),
    import("../system.ts"),
  ]);
  const review = await reviewLocally({
    directory: options.repo ?? ".",
    range,
    options: { focusAreas: options.focus ?? [], severityThreshold: options.threshold ?? "low" },
    logger: createLogger({ level: logLevel, format: logFormat, write: cli.io.stderr }),
    signal: untilInterrupted(cli),
  });
  return reportOfLocal(review, range);
}

/** So that what the review made in the temporary folder is removed on Ctrl-C too. */
function untilInterrupted({ io }: Cli): AbortSignal {
  const controller = new AbortController();
  io.untilAskedToStop().then(() => controller.abort(new AppError("shutting_down", "Interrupted.")));
  return controller.signal;
}

function print(report: Report, { format, failOn }: ReviewOptions, cli: Cli): void {
  cli.io.stdout(formatted(report, format, cli));
  if (failOn !== undefined && report.comments.some(({ severity }) => isAtLeast(severity, failOn))) {
    cli.exitWith(exitCodes.found);
  }
}

function formatted(report: Report, format: Format, { io }: Cli): string {
  switch (format) {
    case "text":
      // https://no-color.org: any value but the empty one.
      return asText(report, { color: io.stdoutIsTerminal && !io.surroundings.environment.NO_COLOR });
    case "json":
      return `${JSON.stringify(report.document, null, 2)}\n`;
    case "sarif":
      return asSarif(report);
  }
}
