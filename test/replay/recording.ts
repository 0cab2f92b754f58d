/** A recorded case: what is done to an agent, and what it then shows. */
export interface Recording {
  readonly name: string;
  readonly about: string;
  readonly deliver: 'file' | 'url' | 'api' | 'mirror';
  /** The pod to look at. */
  readonly pod: string;
  readonly steps: readonly Step[];
  /** Objects that exist before. */
  readonly objects?: readonly ApiObject[];
  /** Shell commands that are run before. */
  readonly hostSetup?: readonly string[];
  /** Name in the manifest directory. */
  readonly fileName?: string;
  /** Fields that are compared with "at least". */
  readonly atLeast?: readonly string[];
}

export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

export interface Step {
  readonly put?: string;
  readonly remove?: true;
  readonly urlGone?: true;
  readonly delete?: object;
  readonly apply?: ApiObject;
  readonly seconds?: number;
  readonly wait?: readonly Condition[];
  /** Seconds. */
  readonly timeout?: number;
  readonly observe?: string;
  readonly readPods?: readonly string[];
  readonly readLogs?: readonly string[];
  readonly readPrevious?: readonly string[];
  readonly readHostFiles?: readonly string[];
  readonly readHostRun?: Readonly<Record<string, string>>;
  readonly expect?: Expectation;
}

export interface Condition {
  readonly path?: string;
  readonly is?: unknown;
  readonly min?: number;
  readonly exists?: boolean;
  readonly has?: string;
  readonly pod?: string;
  readonly log?: string;
  readonly event?: string;
  readonly hostFile?: string;
  readonly gone?: true;
  readonly newUid?: true;
}

export interface RecordedEvent {
  readonly type: string;
  readonly reason: string;
  readonly fieldPath: string;
  readonly message: string;
}

export interface Expectation {
  readonly pod?: unknown;
  readonly pods?: Readonly<Record<string, unknown>>;
  readonly logs?: Readonly<Record<string, string>>;
  readonly previousLogs?: Readonly<Record<string, string>>;
  readonly hostFiles?: Readonly<Record<string, string>>;
  readonly hostRun?: Readonly<Record<string, string>>;
  readonly events?: readonly RecordedEvent[];
}
