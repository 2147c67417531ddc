set(page_scripts engine.js text.js track.js camera.js light.js view.js stage.js stepper.js page.js)
