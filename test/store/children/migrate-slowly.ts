/** Opens a database whose next migration, after all real ones, takes minutes; says `migrating` before. */
import { migrations } from "../../../src/store/migrations.ts";
import { openPostgres } from "../../../src/store/postgres/open-postgres.ts";
import { openSqlite } from "../../../src/store/sqlite/open-sqlite.ts";
import { runtime } from "./runtime.ts";

const [databaseUrl = "", dataDir = ""] = process.argv.slice(2);
const slow = {
  version: migrations.length + 1,
  name: "slow",
  sql: `CREATE TABLE half_done (n INTEGER);
    INSERT INTO half_done WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 500000000)
      SELECT n FROM numbers`,
};
const options = { ...runtime, migrations: [...migrations, slow] };
console.log("migrating");
await (databaseUrl === "" ? openSqlite({ ...options, dataDir }) : openPostgres({ ...options, databaseUrl }));
