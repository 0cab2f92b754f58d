/** Something that the user should know about a converted object. */
export interface Notice {
  /**
   * `note`: nothing to do. `attention`: a person should look. `refused`: a server would refuse the object.
   */
  readonly level: 'note' | 'attention' | 'refused';
  /** Field, `spec.rules[0].host`; empty for the whole object. */
  readonly path: string;
  readonly text: string;
}

const maxValueLength = 100;

/** A value as notices show it: JSON on one line, cut when it is long. */
export function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= maxValueLength ? text : `${text.slice(0, maxValueLength - 3)}...`;
}
