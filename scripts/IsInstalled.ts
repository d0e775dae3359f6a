import { createRequire } from "node:module"

export const isInstalled = (name: string): boolean => {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}
