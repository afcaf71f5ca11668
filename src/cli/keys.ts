import { type Command, Option } from "commander";
import { createKey, listKeys, revokeKey } from "../admin/keys.ts";
import { type KeyRole, keyRoles } from "../domain/organization.ts";
import { adminAction, given, wholeNumber } from "./admin-command.ts";
import type { Cli } from "./cli.ts";
import { table } from "./table.ts";

export function addKeys(program: Command, cli: Cli): void {
  const keys = program.command("keys").description("API keys of the organization");

  adminAction<{ name: string; role: KeyRole; expiresInDays?: number }>(
    keys
      .command("create")
      .description("make a key and print it; it is never shown again")
      .requiredOption("--name <name>", "what the key is for")
      .addOption(new Option("--role <role>", "what it may do").choices(keyRoles).default("member"))
      .option("--expires-in-days <days>", "after how many days it stops working", wholeNumber),
    cli,
    async (admin, { name, role, expiresInDays }) => {
      const key = await admin.run(createKey, given({ name, role, expires_in_days: expiresInDays }));
      return { document: key, text: `${key.key}\n` };
    },
  );

  adminAction(
    keys.command("list").description("list the keys, revoked ones included"),
    cli,
    async (admin) => {
      const { data } = await admin.run(listKeys, {});
      const rows = data.map((key) => [
        key.id,
        key.name,
        key.role,
        `…${key.last_four}`,
        key.created_at,
        key.last_used_at ?? "never",
        key.expires_at ?? "never",
        key.revoked_at ?? "",
      ]);
      const headings = ["ID", "NAME", "ROLE", "KEY", "CREATED", "LAST USED", "EXPIRES", "REVOKED"];
      return { document: data, text: table(headings, rows) };
    },
  );

  adminAction(
    keys
      .command("revoke")
      .description("make a key stop working, everywhere within a second")
      .argument("<id-or-name>"),
    cli,
    async (admin, _options, key = "") => {
      const revoked = await admin.run(revokeKey, { key });
      return { document: revoked, text: `${revoked.id}\n` };
    },
  );
}
