/** What the tables hold, for Kysely. The columns are those of migrations/; times are milliseconds since 1970 UTC. */

/** Filled in table by table beside the migrations. */
// biome-ignore lint/complexity/noBannedTypes: replaced with the tables in the next commit
export type Tables = {};
