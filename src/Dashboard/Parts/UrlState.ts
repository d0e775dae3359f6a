import { useSearchParams } from "wouter"

export const useUrlParameters = <Name extends string>() => {
  const [parameters, setParameters] = useSearchParams()
  const get = (name: Name): string => parameters.get(name) ?? ""
  const set = (changes: Readonly<Partial<Record<Name, string>>>) =>
    setParameters((previous) => {
      const next = new URLSearchParams(previous)
      for (const [name, value] of Object.entries<string | undefined>(changes)) {
        if (value === "" || value === undefined) next.delete(name)
        else next.set(name, value)
      }
      return next
    }, { replace: true })
  return { get, set }
}

export const useUrlState = (name: string): readonly [value: string, set: (value: string) => void] => {
  const { get, set } = useUrlParameters<string>()
  return [get(name), (value) => set({ [name]: value })]
}
