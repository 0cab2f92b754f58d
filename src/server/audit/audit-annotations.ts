import { quoteOften } from './event-texts.ts';

/** Names of annotations, as the dialect has them. */
export interface AuditAnnotationNames {
  readonly decision: string;
  readonly reason: string;
  readonly deprecated: string;
  readonly removedRelease: string;
  readonly truncated: string;
}

/** Annotations of one request. All requests have those of the decision, and hardly one has others. */
export class AuditAnnotations {
  readonly #names: AuditAnnotationNames;
  #decision: string | undefined;
  #reason: string | undefined;
  #others: Map<string, string> | undefined;

  constructor(names: AuditAnnotationNames) {
    this.#names = names;
  }

  /** Sets what authorization says; the decision is left out where there was none. */
  setDecision(decision: string | undefined, reason: string): void {
    if (decision !== undefined) this.#decision = decision;
    this.#reason = reason;
  }

  /** Sets an annotation; one that is there keeps its value. */
  add(key: string, value: string): void {
    if (this.#all().has(key)) return;
    this.#others ??= new Map();
    this.#others.set(key, value);
  }

  /** The member of an event with all annotations, sorted by key; empty when there are none. */
  format(): string {
    const { decision, reason } = this.#names;
    if (this.#others === undefined && this.#decision !== undefined && decision < reason) {
      const why = this.#reason ? JSON.stringify(this.#reason) : '""';
      return `,"annotations":{${quoteOften(decision)}:"${this.#decision}",${quoteOften(reason)}:${why}}`;
    }
    const all = [...this.#all()].sort(([first], [second]) => (first < second ? -1 : 1));
    const members = all.map(([key, value]) => `${quoteOften(key)}:${JSON.stringify(value)}`);
    return members.length === 0 ? '' : `,"annotations":{${members.join(',')}}`;
  }

  /** What they are with one more. */
  with(key: string, value: string): AuditAnnotations {
    const more = new AuditAnnotations(this.#names);
    for (const [known, knownValue] of this.#all()) more.add(known, knownValue);
    more.add(key, value);
    return more;
  }

  #all(): Map<string, string> {
    const all = new Map(this.#others);
    if (this.#decision !== undefined) all.set(this.#names.decision, this.#decision);
    if (this.#reason !== undefined) all.set(this.#names.reason, this.#reason);
    return all;
  }
}
