import { Link } from "wouter"
import { Code } from "../../../Dashboard/Parts/Code.tsx"
import { Page } from "../../../Dashboard/Parts/Page.tsx"
import { Prose } from "../../../Dashboard/Parts/Prose.tsx"
import { namedOptions, SelectField } from "../../../Dashboard/Parts/Select.tsx"
import { useUrlState } from "../../../Dashboard/Parts/UrlState.ts"
import { featuresOff, serviceUrl } from "../../../Dashboard/Service/ServedPage.ts"
import { agentClients, type AgentSetup, mcpUrl } from "../AgentClients.ts"

const hasSignIn = !featuresOff.includes("agent_access")

const about = hasSignIn
  ? "Give the agent this address. It opens a page of this service, where you choose its access."
  : "Give the agent this address and a key."

export const AddAgent = () => {
  const clients = agentClients(serviceUrl)
  const [id, setId] = useUrlState("agent")
  const client = clients.find((each) => each.id === id) ?? clients[0]
  return (
    <Page
      title="Add an agent"
      about={about}
      actions={hasSignIn && <Link className="button" href="/agents">All agents</Link>}
    >
      <div className="stack-wide">
        <section className="stack" aria-label="Address">
          <h2>Address of the MCP endpoint</h2>
          <Code text={mcpUrl(serviceUrl)} what="the address" />
        </section>
        {client && (
          <>
            <div className="narrow">
              <SelectField
                label="Agent"
                options={namedOptions(clients)}
                value={client.id}
                onChange={setId}
              />
            </div>
            {client.note !== undefined && (
              <p className="notice attention">
                <Prose text={client.note} />
              </p>
            )}
            {hasSignIn && <Setup title="With a sign-in" setup={client.signIn} />}
            <Setup title="With an API key" setup={client.key} />
            <p className="muted">
              With a key, the agent has the rights of the key. <Link href="/keys?make=key">Make a key</Link>{" "}
              only for this agent, so that you can revoke it without other effects.
            </p>
          </>
        )}
      </div>
    </Page>
  )
}

const Setup = ({ setup, title }: { readonly title: string; readonly setup: AgentSetup | null }) => (
  <section className="stack" aria-label={title}>
    <h2>{title}</h2>
    {setup === null ? <p className="muted">This agent cannot.</p> : (
      <>
        <p>
          <Prose text={setup.instruction} />
        </p>
        {setup.text !== undefined && <Code text={setup.text} what={`the text for ${title.toLowerCase()}`} />}
      </>
    )}
  </section>
)
