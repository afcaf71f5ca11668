/** One contract, every kind of database. */
import { storeKinds } from "../support/databases.ts";
import { storeContract } from "./store.contract.ts";

for (const [kind, open] of storeKinds()) storeContract(kind, open);
