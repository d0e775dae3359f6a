import type { CreatedConnectLink } from "../../../Domain/ConnectLink.ts"
import { Code } from "../../Parts/Code.tsx"
import { Dialog } from "../../Parts/Dialog.tsx"
import { Time } from "../../Parts/Time.tsx"

export const LinkUrl = ({ link, onClose }: { readonly link: CreatedConnectLink; readonly onClose: () => void }) => (
  <Dialog title="The connect link is ready" onClose={onClose}>
    <p>
      Send it only to the account's owner: anyone who has it can connect an account. It is shown only this once and
      expires <Time at={link.expires_at} />.
    </p>
    <Code text={link.url} what="the link" />
    <div className="dialog-actions">
      <button type="button" className="primary" onClick={onClose}>Done</button>
    </div>
  </Dialog>
)
