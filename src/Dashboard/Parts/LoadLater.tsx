import { type ComponentType, type ReactNode, useEffect, useReducer, useState } from "react"

/** A component whose code is a file of its own. `Suspense` would show its placeholder for 300 ms at least. */
export const loadLater = <Props extends object>(load: () => Promise<ComponentType<Props>>, placeholder: ReactNode) => {
  let Loaded: ComponentType<Props> | undefined
  const preload = async () => {
    Loaded ??= await load()
  }
  const Later = (props: Props) => {
    const [isFailed, setFailed] = useState(false)
    const [, redraw] = useReducer((count: number) => count + 1, 0)
    useEffect(() => {
      if (!Loaded) preload().then(redraw, () => setFailed(true))
    }, [])
    if (Loaded) return <Loaded {...props} />
    if (!isFailed) return placeholder
    return (
      <p className="notice attention" role="alert">
        This part could not be loaded. The service may have a new version, or not answer.{" "}
        <button type="button" onClick={() => location.reload()}>Reload the page</button>
      </p>
    )
  }
  return Object.assign(Later, { preload })
}
