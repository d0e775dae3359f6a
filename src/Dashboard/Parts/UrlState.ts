import { useSearchParams } from "wouter"

/** A filter that lives in the URL. An empty one is left out of it. */
export const useUrlState = (name: string): readonly [value: string, set: (value: string) => void] => {
  const [parameters, setParameters] = useSearchParams()
  const set = (value: string) =>
    setParameters((previous) => {
      const next = new URLSearchParams(previous)
      if (value === "") next.delete(name)
      else next.set(name, value)
      return next
    }, { replace: true })
  return [parameters.get(name) ?? "", set]
}
