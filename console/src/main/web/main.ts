import { mount } from 'svelte';
import App from './App.svelte';
import './style.css';
import { restoreTheme } from './lib/theme';

restoreTheme();
mount(App, { target: document.getElementById('app')! });
