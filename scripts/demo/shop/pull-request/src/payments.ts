import { Agent, request } from "node:https";

const apiKey = "{{stripe_key}}";
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

export function charge(cents: number, token: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const call = request(
    "https://payments.acme.example/v2/charges",
    { agent, method: "POST", headers: { authorization: `Bearer ${apiKey}` } },
    (answer) => resolve(answer.statusCode ?? 0),
  );
  call.on("error", reject);
  call.end(JSON.stringify({ cents, token }));
  return promise;
}
