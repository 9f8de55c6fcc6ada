/** Signs in a file's path of code that was installed, not written here. */
const libraryPaths: readonly string[] = [
  '/node_modules/',
  '/site-packages/',
  '/dist-packages/',
  '/vendor/',
  '/bower_components/',
  '/.cargo/registry/',
  '/rustc/',
  '/go/pkg/mod/',
  '/usr/lib/',
  '/usr/local/lib/',
  '/usr/local/go/src/',
  '/gems/',
  '/lib/python',
  '/jre/',
  '/jdk/',
]

/** Starts of file names that belong to the runtime or the browser. */
const runtimeFiles: readonly string[] = [
  'node:',
  'internal/',
  'bun:',
  'deno:',
  'ext:',
  'native ',
  '<anonymous>',
  '<frozen ',
  '[native code]',
  'chrome-extension:',
  'moz-extension:',
  'safari-web-extension:',
]

/** Starts of module names of runtimes and of frameworks that call the application. */
const libraryModules: readonly string[] = [
  'java.',
  'javax.',
  'jakarta.',
  'jdk.',
  'sun.',
  'com.sun.',
  'kotlin.',
  'kotlinx.',
  'scala.',
  'groovy.',
  'android.',
  'androidx.',
  'com.android.',
  'org.springframework.',
  'org.apache.',
  'org.hibernate.',
  'org.eclipse.jetty.',
  'io.netty.',
  'System.',
  'Microsoft.',
  'runtime.',
  'core::',
  'std::',
  'alloc::',
]

/** Whether a frame without a mark is code of a library, of the runtime or of an extension of the browser. */
export function isLibrary(module: string, filename: string): boolean {
  if (libraryModules.some((start) => module.startsWith(start))) return true
  if (runtimeFiles.some((start) => filename.startsWith(start))) return true
  const path = `/${filename.replaceAll('\\', '/')}`
  return libraryPaths.some((part) => path.includes(part))
}
