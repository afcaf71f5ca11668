/** Opens the store of the folder it is given, says `open` or why not, and stays. */
import { openStore } from "../../../src/store/open.ts";
import { runtime } from "./runtime.ts";

const [dataDir = ""] = process.argv.slice(2);
try {
  await openStore({ databaseUrl: null, dataDir, ...runtime });
  console.log("open");
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
