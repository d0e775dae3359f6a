import { Check } from "lucide-react"
import { Link } from "wouter"
import { Icon } from "../../Parts/Icon.tsx"
import { Panel } from "../../Parts/Panel.tsx"
import { featuresOff } from "../../Service/ServedPage.ts"
import { useSession } from "../../Session/Session.tsx"

const hasAgents = !featuresOff.includes("agent_access")

/** @param has what the service has already */
export const GettingStarted = ({ has }: {
  readonly has: Readonly<Record<"client" | "connection" | "key" | "agent" | "call", boolean>>
}) => {
  const { isAdmin } = useSession()
  const steps = [
    ...isAdmin
      ? [{
        title: "Add a client",
        help: "A customer, a team or a project whose accounts you use.",
        done: has.client || has.connection,
        href: "/clients?make=client",
        action: "Add a client"
      }]
      : [],
    {
      title: "Connect an account",
      help: "Sign in yourself, or send the owner of the account a link.",
      done: has.connection,
      href: "/connections/connect",
      action: "Connect an account"
    },
    {
      title: hasAgents ? "Make a key or add an agent" : "Make a key",
      help: `A key is for a script or a server.${hasAgents ? " An agent signs in by itself." : ""}`,
      done: has.key || has.agent,
      href: "/keys?make=key",
      action: "Make a key"
    },
    {
      title: "Make a call",
      help: "Try an operation here. The call appears in the logs.",
      done: has.call,
      href: "/playground",
      action: "Open the playground"
    }
  ]
  if (steps.every(({ done }) => done)) return null
  const next = steps.find(({ done }) => !done)
  const count = steps.filter(({ done }) => done).length
  return (
    <Panel title="Getting started" isList beside={<span className="meta">{count} of {steps.length} done</span>}>
      <ol className="steps">
        {steps.map((step, index) => (
          <li key={step.title}>
            <span className={step.done ? "step-mark done" : "step-mark"}>
              {step.done ? <Icon of={Check} /> : <span aria-hidden="true">{index + 1}</span>}
            </span>
            <span className="step-words">
              <strong>{step.title}</strong>
              {step.done && <span className="visually-hidden">, done</span>}
              <span className="meta">{step.help}</span>
            </span>
            {!step.done && (
              <Link className={step === next ? "button primary" : "button"} href={step.href}>{step.action}</Link>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
