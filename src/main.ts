/** argv → command → exit code. */
import { processIo } from "./cli/io.ts";
import { run } from "./cli/run.ts";
import { dropForeignVariables } from "./config.ts";

dropForeignVariables();
process.exit(await run(process.argv.slice(2), processIo()));
