import type { ApiObject, RecordedEvent } from './recording.ts';

/** An agent under test as a case acts on it and looks at it. */
export interface Subject {
  /** Gives the agent a manifest; the name is that of the case's file. */
  put(fileName: string, text: string): Promise<void>;
  /** Takes the manifest away. */
  remove(fileName: string): Promise<void>;
  urlGone(): void;
  apply(object: ApiObject): Promise<void>;
  delete(pod: string, options: object): Promise<void>;
  /** The pod as it shows now; undefined when there is none. */
  pod(name: string): Promise<unknown>;
  log(pod: string, container: string, previous: boolean): Promise<string>;
  events(pod: string): Promise<readonly RecordedEvent[]>;
}
