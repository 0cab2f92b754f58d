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
} from './parse-arguments.ts';
export { type PhraseBook, plainPhrases } from './phrases.ts';
export { type CompletionShell, completeWord, renderAskingCompletion } from './render-asking-completion.ts';
export { completionShells, flagWord, renderCompletion } from './render-completion.ts';
export { type HelpStyle, renderHelp } from './render-help.ts';
export { type ManPage, renderManual } from './render-man-page.ts';
export { spellProgram } from './spell-program.ts';
export {
  type AnyOptionValue,
  formatList,
  formatValue,
  isZeroValue,
  joinValues,
  type NodeTaint,
  type OptionType,
  type OptionValues,
  type Parsed,
  type PortRange,
  parseDurationText,
  parseFloatText,
  parseValue,
  readFieldValue,
  recordOf,
  refuse,
  type ValuePhrases,
  zeroValue,
} from './values/index.ts';
