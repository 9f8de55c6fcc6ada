export { type Explained, explainConfig, withoutPassword } from './explain.ts'
export { type HubConfig, type Option, type OptionName, optionNames, options } from './options.ts'
export { type Configuration, readConfig, type Sources } from './read.ts'
