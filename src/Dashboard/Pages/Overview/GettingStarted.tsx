import { Link } from "wouter"
import { Status } from "../../Parts/Status.tsx"

interface Step {
  readonly title: string
  readonly done: boolean
  readonly href: string
  readonly action: string
  readonly other?: { readonly href: string; readonly action: string }
}

export const GettingStarted = ({ hasAgent, hasCall, hasConnection, hasKey }: {
  readonly hasConnection: boolean
  readonly hasKey: boolean
  readonly hasAgent: boolean
  readonly hasCall: boolean
}) => {
  const steps: ReadonlyArray<Step> = [
    {
      title: "Connect an account",
      done: hasConnection,
      href: "/connections/connect",
      action: "Connect an account",
      other: { href: "/connections/links?make=link", action: "Send a connect link" }
    },
    {
      title: "Make a key or add an agent",
      done: hasKey || hasAgent,
      href: "/keys?make=key",
      action: "Make a key",
      other: { href: "/agents/add", action: "Add an agent" }
    },
    { title: "Make a call", done: hasCall, href: "/playground", action: "Open the playground" }
  ]
  if (steps.every(({ done }) => done)) return null
  const next = steps.find(({ done }) => !done)
  return (
    <section className="panel" aria-label="Getting started">
      <div className="panel-head">
        <h2>Getting started</h2>
        <span className="meta">{steps.filter(({ done }) => done).length} of {steps.length}</span>
      </div>
      <ol className="panel-body steps">
        {steps.map((step) => (
          <li key={step.title}>
            <Status state={step.done ? "ok" : "off"}>{step.title}</Status>
            {step === next && <Link className="button primary" href={step.href}>{step.action}</Link>}
            {step === next && step.other && <Link className="button" href={step.other.href}>{step.other.action}</Link>}
          </li>
        ))}
      </ol>
    </section>
  )
}
