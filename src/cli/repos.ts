import type { Command } from "commander";
import { disableRepository, enableRepository, listRepositories } from "../admin/repositories.ts";
import { adminAction, given } from "./admin-command.ts";
import type { Cli } from "./cli.ts";
import { table } from "./table.ts";

export function addRepos(program: Command, cli: Cli): void {
  const repos = program.command("repos").description("repositories on which the service is enabled");

  adminAction<{ host?: string; autoReview?: boolean }>(
    repos
      .command("enable")
      .description("enable the service on a repository, or change how it is enabled")
      .argument("<owner/repo>")
      .option("--host <name>", "the code host it is on; may be left out when there is only one")
      .option("--auto-review", "review new pull requests and pushes without being asked")
      .option("--no-auto-review", "review only when asked"),
    cli,
    async (admin, { host, autoReview }, repository = "") => {
      const enabled = await admin.run(enableRepository, given({ repository, host, auto_review: autoReview }));
      return { document: enabled, text: `${enabled.id}\n` };
    },
  );

  adminAction(
    repos
      .command("disable")
      .description("disable the service on a repository; its reviews stay")
      .argument("<owner/repo>"),
    cli,
    async (admin, _options, repository = "") => {
      const disabled = await admin.run(disableRepository, { repository });
      return { document: disabled, text: `${disabled.id}\n` };
    },
  );

  adminAction(repos.command("list").description("list the enabled repositories"), cli, async (admin) => {
    const { data } = await admin.run(listRepositories, {});
    const rows = data.map((repository) => [
      repository.id,
      repository.name,
      repository.host,
      repository.auto_review ? "yes" : "no",
      String(repository.reviews_count),
      repository.last_review_at ?? "never",
    ]);
    const headings = ["ID", "REPOSITORY", "HOST", "AUTO-REVIEW", "REVIEWS", "LAST REVIEW"];
    return { document: data, text: table(headings, rows) };
  });
}
