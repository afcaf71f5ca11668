import type { Command } from "commander";
import { addHost, listHosts, removeHost } from "../admin/hosts.ts";
import { AppError } from "../domain/errors.ts";
import { type CodeHostKind, codeHostKinds } from "../domain/repository.ts";
import { adminAction, given } from "./admin-command.ts";
import type { Cli } from "./cli.ts";
import { table } from "./table.ts";

interface AddOptions {
  name: string;
  url: string;
  webUrl?: string;
  headRef?: string;
  baseRef?: string;
  tokenFile?: string;
  webhookSecretFile?: string;
}

export function addHosts(program: Command, cli: Cli): void {
  const hosts = program.command("hosts").description("code hosts, where repositories live");

  adminAction<AddOptions>(
    hosts
      .command("add")
      .description("connect a code host")
      .argument("<kind>", codeHostKinds.join(", "))
      .requiredOption("--name <name>", "a short name, for repos enable --host")
      .requiredOption(
        "--url <url>",
        "its address; for kind git a template: 'https://git.example/{repository}.git'",
      )
      .option("--web-url <template>", "a pull request's page, with {repository} and {number}")
      .option(
        "--head-ref <pattern>",
        "kind git: where a pull request's head is (default: refs/pull/{number}/head)",
      )
      .option("--base-ref <branch>", "kind git: the base of every pull request (default: the default branch)")
      .option("--token-file <file>", "the token to sign in with; - is standard input")
      .option("--webhook-secret-file <file>", "the secret of its webhooks; - is standard input"),
    cli,
    async (admin, options, kind = "") => {
      const input = given({
        kind: knownKind(kind),
        name: options.name,
        url: options.url,
        web_url: options.webUrl,
        head_ref: options.headRef,
        base_ref: options.baseRef,
        token: await optionalSecret(cli, options.tokenFile),
        webhook_secret: await optionalSecret(cli, options.webhookSecretFile),
      });
      const host = await admin.run(addHost, input);
      return { document: host, text: `${host.id}\n` };
    },
  );

  adminAction(hosts.command("list").description("list the code hosts"), cli, async (admin) => {
    const { data } = await admin.run(listHosts, {});
    const rows = data.map((host) => [host.id, host.name, host.kind, host.url]);
    return { document: data, text: table(["ID", "NAME", "KIND", "ADDRESS"], rows) };
  });

  adminAction(
    hosts
      .command("remove")
      .description("disconnect a code host; refused while a repository is on it")
      .argument("<name-or-id>"),
    cli,
    async (admin, _options, host = "") => {
      const removed = await admin.run(removeHost, { host });
      return { document: removed, text: `${removed.id}\n` };
    },
  );
}

function knownKind(text: string): CodeHostKind {
  const kind = codeHostKinds.find((known) => known === text);
  if (kind !== undefined) return kind;
  const message = `${JSON.stringify(text)} is no kind of code host; the kinds are ${codeHostKinds.join(", ")}`;
  throw new AppError("validation_failed", message);
}

async function optionalSecret(cli: Cli, file: string | undefined): Promise<string | undefined> {
  return file === undefined ? undefined : cli.readSecret(file);
}
