// @ts-check
// A judge's list of pairs: a vote that was just given can be taken back from here.

import { bindKeys } from "../shared/keys.js";
import { letDialogsClose, say, settings } from "../shared/page.js";
import { Server } from "../shared/server.js";
import { SignIn } from "../shared/sign_in.js";
import { Voted } from "./voted.js";

const voted = new Voted(new Server(settings.person, new SignIn(settings.person, say)));
bindKeys([{ keys: ["Alt+KeyZ"], act: () => void voted.undo() }], () => document.querySelector("dialog[open]") !== null);
letDialogsClose();
