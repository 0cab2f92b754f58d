import type { Dialect } from '../machinery/dialect.ts';
import type { MetricRegistry, Series } from '../net/metrics/index.ts';
import type { AuthenticationOutcome } from './filters/authentication.ts';

/** Counts who requests come from, under the names of release 1.20. */
export class AuthenticationMetrics {
  readonly #registry: MetricRegistry;
  readonly #knownUsers: ReadonlySet<string>;
  readonly #expiry: Series;
  /** Looked up once, as every request passes here: by result, and by the label of the user. */
  readonly #results = new Map<string, { readonly count: Series; readonly duration: Series }>();
  readonly #users = new Map<string, Series>();

  constructor(registry: MetricRegistry, dialect: Pick<Dialect, 'spell'>) {
    this.#registry = registry;
    const systemAccount = 'system:serviceaccount:orch-system:default';
    const known = ['admin', 'client', 'nodeagent', systemAccount].map((name) => dialect.spell(name));
    this.#knownUsers = new Set(known);
    this.#expiry = registry.series('apiserver_client_certificate_expiration_seconds', []);
  }

  readonly addOutcome = ({ result, user, seconds }: AuthenticationOutcome): void => {
    let series = this.#results.get(result);
    if (series === undefined) {
      series = {
        count: this.#registry.series('authentication_attempts', [result]),
        duration: this.#registry.series('authentication_duration_seconds', [result]),
      };
      this.#results.set(result, series);
    }
    series.count.add(1);
    series.duration.observe(seconds);
    if (result === 'success') this.#countUser(this.#labelOf(user));
  };

  /** A client showed a certificate that ends so soon. */
  readonly addCertificate = (secondsLeft: number): void => {
    // Certificates are made by anybody, also without an end that can be read.
    if (Number.isFinite(secondsLeft)) this.#expiry.observe(secondsLeft);
  };

  #countUser(label: string): void {
    let series = this.#users.get(label);
    if (series === undefined) {
      series = this.#registry.series('authenticated_user_requests', [label]);
      this.#users.set(label, series);
    }
    series.add(1);
  }

  /** A label of few values. Source: release 1.20, `compressUsername`. */
  #labelOf(user: string): string {
    if (this.#knownUsers.has(user)) return user;
    return user.includes('@') ? 'email_id' : 'other';
  }
}
