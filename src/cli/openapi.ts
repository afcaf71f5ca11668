import type { Command } from "commander";
import { operations } from "../admin/operations.ts";
import { version } from "../version.ts";
import type { Cli } from "./cli.ts";
import { addSettingOptions, settingFlags } from "./setting-options.ts";

export function addOpenapi(program: Command, cli: Cli): void {
  const openapi = program.command("openapi").description("print the OpenAPI document of the API");
  addSettingOptions(openapi, "offline").action(async (options: Record<string, unknown>) => {
    const { siteUrl, port } = cli.config(settingFlags(options));
    const { openApiDocument } = await import("../http/openapi/document.ts");
    const servers = [{ url: siteUrl ?? `http://localhost:${port}`, description: "This installation." }];
    const document = await openApiDocument({ servers, version, operations });
    cli.io.stdout(`${JSON.stringify(document, null, 2)}\n`);
  });
}
