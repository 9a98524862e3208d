// Runs the suite of the package's hosts; the title has the result.
import * as bulat from "../lib/bulat.js";
import * as container from "../lib/container.js";
import expected from "./expected.js";
import { suite } from "./suite.js";
document.title = await suite(bulat, container, expected).then(() => "right", (error) => `${error.name}: ${error.message}`);
