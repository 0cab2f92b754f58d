/**
 * Option tables and what is made from them: parsing of command lines, layering with environment and file into one
 * frozen typed configuration, help, man pages and shell completion. One table per program is the only description
 * of its options. This folder opens no files and starts nothing; the composition roots in `app` do.
 */
export { formatDurationMs, parseDurationMs } from './duration.ts';
export { type ConfigSources, type LayeredConfig, layerConfig } from './layer-config.ts';
export { nearestName } from './nearest-name.ts';
export {
  type ConfigOf,
  type OptionRecord,
  type OptionSpec,
  OptionsError,
  type OptionType,
  type OptionValue,
  type OptionValues,
  type PortRange,
  type ProgramSpec,
} from './options.ts';
export {
  type ArgumentPhrases,
  type ParsedArguments,
  type ParseOptions,
  parseArguments,
  readArguments,
} from './parse-arguments.ts';
export { type CompletionShell, completionShells, renderCompletion } from './render-completion.ts';
export { type HelpStyle, renderHelp } from './render-help.ts';
export { renderManPage } from './render-man-page.ts';
export { spellProgram } from './spell-program.ts';
