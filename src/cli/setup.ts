import type { Command } from "commander";
import { setUp } from "../admin/setup.ts";
import { adminAction } from "./admin-command.ts";
import type { Cli } from "./cli.ts";

export function addSetup(program: Command, cli: Cli): void {
  adminAction<{ org: string; adminEmail: string; adminPasswordFile: string }>(
    program
      .command("setup")
      .description("the first run: make the organization and its owner")
      .requiredOption("--org <name>", "the organization's short name, such as acme")
      .requiredOption("--admin-email <address>", "the owner's e-mail address, to sign in with")
      .requiredOption("--admin-password-file <file>", "the owner's password; - is standard input"),
    cli,
    async (admin, { org, adminEmail, adminPasswordFile }) => {
      const password = await cli.readSecret(adminPasswordFile);
      const made = await admin.run(setUp, {
        organization: org,
        admin_email: adminEmail,
        admin_password: password,
      });
      return {
        document: made,
        text: `${made.organization.slug}\n`,
        note: `The organization ${made.organization.slug} is set up; ${made.owner.email} is its owner.`,
      };
    },
  );
}
