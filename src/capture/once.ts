/**
 * Bundlers wrap a module so that it runs at the first import: `var init = () => (fn && (res = fn(fn = 0)), res)`. Such a
 * wrapper changes variables of its own, but only once, and each worker may do so for itself as it would run a module.
 */
const esbuildModule = /([\w$]+)\s*&&\s*\(([\w$]+)\s*=[^;{}]*\(\s*\1\s*=\s*0\s*\)/;
const esbuildCommonJs = /([\w$]+)\s*\|\|[^;]*\(\s*\1\s*=\s*\{\s*exports:\s*\{\s*\}\s*\}\s*\)\.exports/;

/** Is it the function that a bundler made to run a module once? */
export function runsModuleOnce(source: string): boolean {
  return source.length < 500 && (esbuildModule.test(source) || esbuildCommonJs.test(source));
}
