/** What /metrics reports. No label names an organization, a repository or a key. */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Store } from "../domain/store.ts";
import type { ReviewEventName } from "../domain/webhook.ts";

export interface HttpMetrics {
  observe(method: string, route: string | null, status: number, durationMs: number): void;
}

export interface Metrics extends HttpMetrics {
  /** One of a review's events happened. */
  countReviewEvent(event: ReviewEventName): void;
  /** One attempt to deliver a webhook ended. */
  countDelivery(outcome: "delivered" | "failed"): void;
  /** The Prometheus text format. */
  text(): Promise<string>;
  contentType: string;
}

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export function createMetrics(deps: { store: Store }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: "plumbline_http_request_duration_seconds",
    help: "Time to the answer, by method, route and status.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  const reviews = new Counter({
    name: "plumbline_review_events_total",
    help: "Reviews started, completed and failed.",
    labelNames: ["event"],
    registers,
  });
  const deliveries = new Counter({
    name: "plumbline_webhook_attempts_total",
    help: "Attempts to deliver outbound webhooks, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  addJobs(registers, deps.store);
  addProcess(registers);

  return {
    observe(method, route, status, durationMs) {
      const known = knownMethods.has(method) ? method : "other";
      requests.labels(known, route ?? "unmatched", String(status)).observe(durationMs / 1000);
    },
    countReviewEvent: (event) => reviews.inc({ event }),
    countDelivery: (outcome) => deliveries.inc({ outcome }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function addJobs(registers: Registry[], store: Store): void {
  new Gauge({
    name: "plumbline_jobs",
    help: "Jobs by lane and state.",
    labelNames: ["lane", "state"],
    registers,
    async collect() {
      this.reset();
      for (const { lane, state, count } of await store.jobs.counts()) this.set({ lane, state }, count);
    },
  });
}

function addProcess(registers: Registry[]): void {
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory size.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    name: "process_cpu_seconds_total",
    help: "User and system CPU time used.",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1_000_000);
    },
  });
  new Gauge({
    name: "process_uptime_seconds",
    help: "Time since the process started.",
    registers,
    collect() {
      this.set(process.uptime());
    },
  });
  new Gauge({
    name: "plumbline_event_loop_lag_seconds",
    help: "How late the event loop was for a task that was due at once, when this was read.",
    registers,
    async collect() {
      const startedNs = process.hrtime.bigint();
      await new Promise((resolve) => setImmediate(resolve));
      this.set(Number(process.hrtime.bigint() - startedNs) / 1e9);
    },
  });
}
