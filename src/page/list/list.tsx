/** The list page begins. */
import { render } from 'preact';
import { ListPage } from './list-page.js';

render(<ListPage />, document.getElementById('page')!);
