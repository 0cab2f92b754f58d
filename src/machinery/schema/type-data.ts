/** One field as the type data has it (`apis/types.json`). */
export interface FieldData {
  /** JSON name. */
  readonly n: string;
  /** Scalar, type key, `list<T>`, `map<string,T>` or `any`. */
  readonly t: string;
  /** Nullable: absent and zero differ. */
  readonly ptr?: 1;
  /** JSON leaves the field out when it is empty. */
  readonly omit?: 1;
  readonly req?: 1;
  /** Name in Go, where no rule gives it. */
  readonly go?: string;
  /** Enum key, or the type that a text has in Go. */
  readonly e?: string;
  /** Message whose fields stand flat in JSON; only Protobuf knows it. */
  readonly inline?: 1;
  /** Inlined message that the field belongs to. */
  readonly in?: string;
  /** `-` when the field is not in JSON. */
  readonly json?: string;
  /** Number in Protobuf; absent when the field has no place there. */
  readonly pb?: number;
  /** `kind` and `apiVersion` of an object: in Protobuf they travel in the envelope. */
  readonly meta?: 1;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  readonly patchStrategy?: readonly string[];
  readonly patchMergeKey?: string;
}

/** One type of the data. Without fields it is special: it has its own JSON form. */
export interface TypeData {
  readonly f?: readonly FieldData[];
  readonly kind?: 1;
  /** Zero when the type has no Protobuf form. */
  readonly pb?: 0;
  /** `atomic`: server-side apply owns and replaces values of the type as a whole. */
  readonly structType?: string;
}

/** Types by key, names spelled as the catalog's dialect has them. */
export interface TypeSource {
  find(name: string): TypeData | undefined;
}
