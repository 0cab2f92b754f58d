/** Where a selectable field stands in stored JSON. */
export interface FieldLocation {
  /** Names of members from the outside in; plain ASCII. */
  readonly path: readonly string[];
  /** Text of the field when it is not there. */
  readonly zero: string;
}

/** What is known of selectable fields by the key prefix of their resource. */
export interface FieldLayout {
  /** Undefined for fields whose value is more than the text of one place. */
  locate(resourcePrefix: string, field: string): FieldLocation | undefined;
  /** Fields whose values objects are looked up by. The first one that a request demands is used. */
  indexedFields(resourcePrefix: string): readonly string[];
}

/** A field and the value that a list or watch demands of it. */
export interface FieldValue {
  readonly field: string;
  readonly value: string;
}

/** Tells the value that a selection demands of a field; undefined when it takes several. */
export type RequiredValue = (field: string) => string | undefined;
