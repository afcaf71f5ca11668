/** argv → command → exit code. */
import { processIo } from "./cli/io.ts";
import { run } from "./cli/run.ts";

process.exit(await run(process.argv.slice(2), processIo()));
