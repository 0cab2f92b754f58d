import type { Agent } from 'node:http';

/** Agents of Node's HTTP client, which keep connections, by whom they lead to; only so many of them. */
export class KeptAgents {
  readonly #agents = new Map<string, Agent>();
  readonly #most: number;

  /** Beyond `most` the one that was asked for longest ago gives way; what it has under way goes on. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The one of a key, made when there is none. */
  of(key: string, make: () => Agent): Agent {
    const known = this.#agents.get(key);
    if (known !== undefined) this.#agents.delete(key);
    const agent = known ?? make();
    this.#agents.set(key, agent);
    const [oldest] = this.#agents;
    if (this.#agents.size > this.#most && oldest !== undefined) this.#agents.delete(oldest[0]);
    return agent;
  }

  /** Ends all connections, those of calls under way included. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }
}
