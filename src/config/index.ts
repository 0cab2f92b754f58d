/**
 * Option tables and what is made from them: parsing of command lines, layering with environment and file into one
 * frozen typed configuration, help, man pages and shell completion. One table per program is the only description
 * of its options. This folder opens no files and starts nothing; the composition roots in `app` do.
 */
export { type ChangeMarks, type Colours, loadChangeMarks, loadColours, plainColours } from './colours.ts';
export { goPhrases } from './go-phrases.ts';
export { type ConfigSources, type KeySet, type LayeredConfig, layerConfig } from './layer-config.ts';
export { adviceLine, describeUnknown, nearestName } from './nearest-name.ts';
export {
  type ConfigKeys,
  type ConfigOf,
  configKey,
  type OptionRecord,
  type OptionSpec,
  OptionsError,
  type OptionValue,
  type ProgramSpec,
} from './options.ts';
export {
  type ArgumentProblem,
  type ParsedArguments,
  type ParseOptions,
  parseArguments,
  readArguments,
  type TypedFlag,
} from './parse-arguments.ts';
export { type PhraseBook, plainPhrases } from './phrases.ts';
export { type CompletionShell, completeWord, renderAskingCompletion } from './render-asking-completion.ts';
export { completionShells, flagWord, renderCompletion } from './render-completion.ts';
export { type HelpStyle, renderHelp } from './render-help.ts';
export { type ManPage, renderManual } from './render-man-page.ts';
export { spellProgram } from './spell-program.ts';
export { readFieldValue } from './values/field-value.ts';
export { formatValue, joinValues } from './values/format-value.ts';
export { formatList } from './values/lists.ts';
export { recordOf } from './values/maps.ts';
export { parseDurationText, parseFloatText } from './values/numbers.ts';
export { parseValue } from './values/parse-value.ts';
export { type Parsed, refuse } from './values/parsed.ts';
export type { ValuePhrases } from './values/value-phrases.ts';
export {
  type AnyOptionValue,
  isZeroValue,
  type NodeTaint,
  type OptionType,
  type OptionValues,
  type PortRange,
  zeroValue,
} from './values/value-types.ts';
