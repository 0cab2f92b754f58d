/**
 * Data of a JSON file of the project in the type that code knows it by: the compiler infers one that is too wide, with
 * plain texts for names. Only for files that tests check or scripts make; what comes from outside is decoded.
 */
export function ownData<Data>(json: unknown): Data {
  return json as Data; // as above
}
